import { installCommand } from "../io/install-command.ts";
import { IoError } from "../io/io-error.ts";

/**
 * Holds what is used of the packages that read and write Parquet. Most of it is from their inner modules, which both
 * packages export: only these hand out levels and values as they are stored, so that no type is lost.
 */
export type ParquetPeers = Awaited<ReturnType<typeof load>>;

/** The packages, with the versions that package.json names. */
export const PACKAGES = ["hyparquet@1.31", "hyparquet-writer@0.17", "hyparquet-compressors@1"];

async function load() {
  const [reader, column, pages, runs, plain, schema, thrift, constants, compressors] =
    await Promise.all([
      import("hyparquet"),
      import("hyparquet/src/column.js"),
      import("hyparquet/src/datapage.js"),
      import("hyparquet/src/encoding.js"),
      import("hyparquet/src/plain.js"),
      import("hyparquet/src/schema.js"),
      import("hyparquet/src/thrift.js"),
      import("hyparquet/src/constants.js"),
      import("hyparquet-compressors"),
    ]);
  const [writer, columnWriter, pageWriter, runWriter, plainWriter, thriftWriter, statistics] =
    await Promise.all([
      import("hyparquet-writer"),
      import("hyparquet-writer/src/column.js"),
      import("hyparquet-writer/src/datapage.js"),
      import("hyparquet-writer/src/encoding.js"),
      import("hyparquet-writer/src/plain.js"),
      import("hyparquet-writer/src/thrift.js"),
      import("hyparquet-writer/src/unconvert.js"),
    ]);
  const { parquetMetadata, parquetReadObjects, parquetSchema } = reader;
  const { getMaxDefinitionLevel, getMaxRepetitionLevel } = schema;
  const { ThriftStruct, serializeTCompactProtocol } = thriftWriter;
  return {
    parquetMetadata,
    parquetReadObjects,
    parquetSchema,
    getMaxDefinitionLevel,
    getMaxRepetitionLevel,
    parquetHeader: column.parquetHeader,
    ...pages,
    readPlain: plain.readPlain,
    readRleBitPackedHybrid: runs.readRleBitPackedHybrid,
    deserializeTCompactProtocol: thrift.deserializeTCompactProtocol,
    constants,
    decompressors: compressors.compressors,
    ByteWriter: writer.ByteWriter,
    writeColumn: columnWriter.writeColumn,
    writePageHeader: pageWriter.writePageHeader,
    writePlain: plainWriter.writePlain,
    writeRleBitPackedHybrid: runWriter.writeRleBitPackedHybrid,
    ThriftStruct,
    serializeTCompactProtocol,
    unconvertStatistics: statistics.unconvertStatistics,
  };
}

/** Loads the packages. If one is missing, throws an IoError that says how to install it. */
export async function loadParquetPeers(): Promise<ParquetPeers> {
  try {
    return await load();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND") throw error;
    throw new IoError(`Parquet needs extra packages: ${installCommand(PACKAGES)}`);
  }
}

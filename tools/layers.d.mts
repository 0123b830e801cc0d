/** The rooms of `src`, `assembly` and folders below `src`, from the ground up, with what each holds. */
export const LAYERS: Readonly<
  Record<string, readonly (readonly [rooms: readonly string[], holds: string])[]>
>;
/** The documents that draw layers, with the folders of each. */
export const LAYER_DOCUMENTS: Readonly<Record<string, readonly string[]>>;
/** Returns a document with the layers of folders as they are now, the highest first. */
export function withLayers(document: string, folders: readonly string[]): string;

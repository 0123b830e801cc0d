// Writes dist/kernel-scalar.wasm, and the same file in build: the kernel without SIMD, for runtimes that have none, such
// as compilers of WebAssembly in pure Java. Reads build/kernel-lanes.wasm, which is assembly/ with assembly/lanes.ts and
// not optimized. Each value of 128 bits becomes two of 64, and each operation calls functions of lanes.ts; the optimizer
// writes them out. An operation that no table of simd-operations.mjs names is an error.
import { readFileSync, writeFileSync } from "node:fs";
import binaryen from "assemblyscript/binaryen";
import { publishKernel } from "./publish-kernel.mjs";
import {
  BY_HALVES,
  CHILDREN,
  CLASSES,
  REPLACED,
  SPLATS,
  TO_NUMBER,
  WIDENED,
} from "./simd-operations.mjs";

const LANES = "assembly/lanes/";
const { i32, i64, v128 } = binaryen;

/** Writes a function anew, without values of 128 bits. */
class Lowering {
  #module;
  #half;
  #types = [];
  /** For each local of before: its number, or the two of its halves. */
  #locals;

  /** `half`: which half a function returns, if its result has 128 bits. */
  constructor(module, half = 0) {
    this.#module = module;
    this.#half = half;
  }

  write(name, info) {
    const params = binaryen.expandType(info.params);
    this.#locals = params.map((type) => this.#local(type));
    const count = this.#types.length;
    this.#locals.push(...info.vars.map((type) => this.#local(type)));
    const body = this.#rewrite(info.body);
    const types = binaryen.createType(this.#types.slice(0, count));
    const results = info.results === v128 ? i64 : info.results;
    this.#module.addFunction(name, types, results, this.#types.slice(count), body);
  }

  #local(type) {
    return type === v128 ? [this.#local(i64), this.#local(i64)] : this.#types.push(type) - 1;
  }

  /** Returns an expression that does the same. Of 128 bits it is the half that the function returns. */
  #rewrite(expression) {
    const module = this.#module;
    const id = binaryen.getExpressionId(expression);
    if (id === binaryen.NopId || id === binaryen.UnreachableId) return expression;
    const info = binaryen.getExpressionInfo(expression);
    if (info.type === v128) {
      return this.#block(i64, (code) => this.#halves(expression, code)[this.#half]);
    }
    if (info.id === binaryen.LocalGetId) {
      return module.local.get(this.#locals[info.index], info.type);
    }
    if (info.id === binaryen.LocalSetId) {
      const to = this.#locals[info.index];
      if (Array.isArray(to)) {
        return module.block(null, this.#assigned(to, info.value));
      }
      const value = this.#rewrite(info.value);
      return info.isTee ? module.local.tee(to, value, info.type) : module.local.set(to, value);
    }
    const number = this.#numberOf(info);
    if (number !== undefined) return this.#block(info.type, number);
    const name = CLASSES.get(info.id) ?? unknown(expression);
    const node = new binaryen[name](expression);
    for (const child of CHILDREN[name]) {
      const value = node[child];
      if (Array.isArray(value)) node[child] = value.map((one) => this.#rewrite(one));
      else if (value !== 0) node[child] = this.#rewrite(value);
    }
    node.finalize();
    return expression;
  }

  /** Returns what writes the operands of an expression and makes its number; undefined if no operand has 128 bits. */
  #numberOf(info) {
    const module = this.#module;
    switch (info.id) {
      case binaryen.UnaryId: {
        const name = TO_NUMBER[info.op];
        if (name === undefined) return undefined;
        return (code) => this.#lanes(name, this.#halves(info.value, code), i32);
      }
      case binaryen.SIMDExtractId:
        if (info.op !== binaryen.ExtractLaneVecI64x2) return undefined;
        return (code) => this.#halves(info.vec, code)[info.index];
      case binaryen.StoreId:
        if (binaryen.getExpressionType(info.value) !== v128) return undefined;
        return (code) => {
          const at = this.#kept(this.#rewrite(info.ptr), i32, code);
          const [low, high] = this.#halves(info.value, code);
          code.push(module.i64.store(info.offset, 1, at(), low));
          return module.i64.store(info.offset + 8, 1, at(), high);
        };
      case binaryen.CallId:
        if (info.operands.every((one) => binaryen.getExpressionType(one) !== v128))
          return undefined;
        return (code) => {
          const operands = this.#operands(info, code).map((read) => read());
          return module.call(info.target, operands, info.type);
        };
      default:
        return undefined;
    }
  }

  /** Writes an expression of 128 bits; returns its halves, low and high, each to be used once. */
  #halves(expression, code) {
    return this.#words(expression, code).map((word) => word());
  }

  /** Writes an expression of 128 bits; returns what reads its low and its high half. */
  #words(expression, code) {
    const to = this.#local(v128);
    code.push(...this.#assigned(to, expression));
    return to.map((half) => () => this.#module.local.get(half, i64));
  }

  /** Returns code that assigns an expression of 128 bits to two locals. */
  #assigned(to, expression) {
    const module = this.#module;
    const code = [];
    const [low, high] = this.#parts(binaryen.getExpressionInfo(expression), code, expression);
    // Both are made before one is assigned: the expression may read the variable.
    const kept = this.#kept(low, i64, code);
    code.push(module.local.set(to[1], high), module.local.set(to[0], kept()));
    return code;
  }

  #parts(info, code, expression) {
    const module = this.#module;
    switch (info.id) {
      case binaryen.BlockId: {
        if (info.name !== null) break;
        const last = info.children.pop();
        code.push(...info.children.map((one) => this.#rewrite(one)));
        if (binaryen.getExpressionType(last) === v128) {
          return this.#parts(binaryen.getExpressionInfo(last), code, last);
        }
        code.push(this.#rewrite(last));
        return [module.unreachable(), module.unreachable()];
      }
      case binaryen.LocalGetId:
        return this.#locals[info.index].map((half) => module.local.get(half, i64));
      case binaryen.LocalSetId:
        code.push(...this.#assigned(this.#locals[info.index], info.value));
        return this.#locals[info.index].map((half) => module.local.get(half, i64));
      case binaryen.ConstId: {
        const bytes = new DataView(Uint8Array.from(info.value).buffer);
        return [0, 8].map((at) => module.i64.const(bytes.getBigInt64(at, true)));
      }
      case binaryen.LoadId: {
        const at = this.#kept(this.#rewrite(info.ptr), i32, code);
        return [0, 8].map((more) => module.i64.load(info.offset + more, 1, at()));
      }
      case binaryen.SIMDLoadId: {
        const at = this.#rewrite(info.ptr);
        if (info.op === binaryen.Load64ZeroVec128) {
          return [module.i64.load(info.offset, 1, at), module.i64.const(0n)];
        }
        if (info.op !== binaryen.Load32SplatVec128) break;
        return this.#both("splatInts", module.i32.load(info.offset, 1, at), code);
      }
      case binaryen.UnaryId: {
        if (info.op in SPLATS) {
          return this.#both(SPLATS[info.op], this.#rewrite(info.value), code);
        }
        const half = WIDENED[info.op];
        if (half === undefined) break;
        const word = this.#words(info.value, code)[half];
        return [this.#int(word, 0), this.#int(word, 1)];
      }
      case binaryen.BinaryId: {
        const left = this.#words(info.left, code);
        const right = this.#words(info.right, code);
        if (info.op === binaryen.SwizzleVecI8x16) {
          return right.map((places) =>
            this.#lanes("swizzleBytes", [left[0](), left[1](), places()], i64),
          );
        }
        const name = BY_HALVES[info.op];
        if (name === undefined) break;
        return left.map((half, at) => this.#lanes(name, [half(), right[at]()], i64));
      }
      case binaryen.SIMDReplaceId: {
        if (info.op !== binaryen.ReplaceLaneVecI64x2) break;
        const halves = this.#halves(info.vec, code);
        halves[info.index] = this.#rewrite(info.value);
        return halves;
      }
      case binaryen.SIMDShuffleId: {
        const words = [...this.#words(info.left, code), ...this.#words(info.right, code)];
        const ints = [0, 4, 8, 12].map((at) => {
          const first = info.mask[at];
          const isInt = first % 4 === 0 && [1, 2, 3].every((b) => info.mask[at + b] === first + b);
          if (!isInt) unknown(expression);
          return this.#int(words[first >> 3], (first >> 2) & 1);
        });
        const upper = (value) => module.i64.shl(value, module.i64.const(32n));
        return [0, 2].map((at) => module.i64.or(ints[at], upper(ints[at + 1])));
      }
      case binaryen.CallId: {
        const replaced = REPLACED[info.target];
        if (replaced !== undefined) {
          const [block, ...others] = info.operands.map((one) => this.#words(one, code));
          const whole = others.slice(0, replaced.whole).flat();
          return block.map((half) =>
            this.#lanes(replaced.name, [half(), ...whole.map((word) => word())], i64),
          );
        }
        const operands = this.#operands(info, code);
        return [0, 1].map((half) =>
          module.call(
            halfOf(info.target, half),
            operands.map((read) => read()),
            i64,
          ),
        );
      }
    }
    return unknown(expression);
  }

  /** Writes the operands of a call, one after the other; returns what reads them. */
  #operands(info, code) {
    return info.operands.flatMap((one) => {
      const type = binaryen.getExpressionType(one);
      if (type === v128) return this.#words(one, code);
      return [this.#kept(this.#rewrite(one), type, code)];
    });
  }

  /** Assigns a value to a new local; returns what reads it. */
  #kept(value, type, code) {
    const local = this.#types.push(type) - 1;
    code.push(this.#module.local.set(local, value));
    return () => this.#module.local.get(local, type);
  }

  /** Returns two halves that are the same. */
  #both(name, value, code) {
    const half = this.#kept(this.#lanes(name, [value], i64), i64, code);
    return [half(), half()];
  }

  /** Returns one of the two numbers of 32 bits in a half. */
  #int(word, place) {
    const { i64 } = this.#module;
    return place === 1
      ? i64.shr_u(word(), i64.const(32n))
      : i64.and(word(), i64.const(0xffffffffn));
  }

  #lanes(name, operands, type) {
    return this.#module.call(LANES + name, operands, type);
  }

  #block(type, write) {
    const code = [];
    const last = write(code);
    return this.#module.block(null, [...code, last], type);
  }
}

function unknown(expression) {
  throw new Error(
    `tools/simd-operations.mjs lacks this operation: ${binaryen.emitText(expression)}`,
  );
}

/** Names the function that returns one half of what a function returned. */
function halfOf(name, half) {
  return `${name}/${half === 0 ? "low" : "high"}`;
}

const { Calls, WritesGlobal, WritesMemory } = binaryen.SideEffects;
const WRITES = Calls | WritesGlobal | WritesMemory;

/** Writes all functions anew, and takes the exports of lanes.ts away. */
function lower(module) {
  const functions = [];
  for (let at = 0; at < module.getNumFunctions(); at++) {
    functions.push(binaryen.getFunctionInfo(module.getFunctionByIndex(at)));
  }
  for (const info of functions) {
    if (info.name.startsWith(LANES)) {
      module.removeExport(info.name.slice(LANES.length));
      continue;
    }
    module.removeFunction(info.name);
    if (info.name in REPLACED) continue;
    if (info.results === v128) {
      if ((binaryen.getSideEffects(info.body, module) & WRITES) !== 0) {
        throw new Error(`${info.name} cannot be called for each half: it does more than read`);
      }
      for (const half of [0, 1]) {
        const body = module.copyExpression(info.body);
        new Lowering(module, half).write(halfOf(info.name, half), { ...info, body });
      }
    } else new Lowering(module).write(info.name, info);
  }
}

/** What a runtime must have beside WebAssembly 1.0. */
const SCALAR =
  binaryen.Features.MutableGlobals | binaryen.Features.BulkMemory | binaryen.Features.BulkMemoryOpt;

/**
 * Optimizes a module. Takes its bytes, because binaryen 131 widens an i32.load that was made by its interface with its
 * sign, where i64.extend_i32_u was asked for. One that was read from bytes it widens without.
 */
function optimized(bytes) {
  const module = binaryen.readBinary(bytes);
  module.setFeatures(SCALAR);
  binaryen.setOptimizeLevel(3);
  binaryen.setShrinkLevel(0);
  // HotSpot never compiles a method of more than 8,000 bytecodes: no function gets large by the others that it calls.
  binaryen.setAlwaysInlineMaxSize(6);
  binaryen.setFlexibleInlineMaxSize(65);
  binaryen.setOneCallerInlineMaxSize(80);
  module.optimize();
  // Without the feature, an operation on 128 bits is not valid.
  if (module.validate() === 0) throw new Error("kernel-scalar.wasm is not valid");
  return module.emitBinary();
}

const module = binaryen.readBinary(
  readFileSync(new URL("../build/kernel-lanes.wasm", import.meta.url)),
);
module.setFeatures(SCALAR | binaryen.Features.SIMD128);
lower(module);
const kernel = optimized(module.emitBinary());
writeFileSync(new URL("../build/kernel-scalar.wasm", import.meta.url), kernel);
publishKernel("kernel-scalar");

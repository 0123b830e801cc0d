// Which functions of assembly/lanes.ts do what operations of SIMD do, and what expressions of WebAssembly consist of: the
// tables of lower-simd.mjs.
import binaryen from "assemblyscript/binaryen";

/** Operations on one half of each operand. */
export const BY_HALVES = {
  [binaryen.EqVecI8x16]: "eqBytes",
  [binaryen.NeVecI8x16]: "neBytes",
  [binaryen.LtUVecI8x16]: "ltUnsignedBytes",
  [binaryen.GtUVecI8x16]: "gtUnsignedBytes",
  [binaryen.SubVecI8x16]: "subBytes",
  [binaryen.AddVecI32x4]: "addInts",
  [binaryen.SubVecI32x4]: "subInts",
  [binaryen.GtSVecI32x4]: "gtSignedInts",
  [binaryen.LeUVecI32x4]: "leUnsignedInts",
  [binaryen.EqVecI64x2]: "eqLongs",
  [binaryen.AddVecI64x2]: "addLongs",
  [binaryen.AndVec128]: "and",
  [binaryen.OrVec128]: "or",
  [binaryen.XorVec128]: "xor",
  [binaryen.AndNotVec128]: "andNot",
};

/** Operations that make both halves of a number. */
export const SPLATS = {
  [binaryen.SplatVecI8x16]: "splatBytes",
  [binaryen.SplatVecI32x4]: "splatInts",
  [binaryen.SplatVecI64x2]: "splatLongs",
};

/** Operations that make a number of both halves. */
export const TO_NUMBER = {
  [binaryen.BitmaskVecI8x16]: "bitmaskBytes",
  [binaryen.BitmaskVecI64x2]: "bitmaskLongs",
  [binaryen.AnyTrueVec128]: "anyTrue",
};

/** Operations that widen the numbers of one half: of the low half or the high. */
export const WIDENED = {
  [binaryen.ExtendLowUVecI32x4ToVecI64x2]: 0,
  [binaryen.ExtendHighUVecI32x4ToVecI64x2]: 1,
};

/**
 * Functions that one of lanes.ts replaces. It gets a half of the first operand and all of the next ones: `whole` of
 * them, the others it does not need.
 */
export const REPLACED = {
  "assembly/url/sets/outside": { name: "outsideBytes", whole: 1 },
  "assembly/url/component/lowered": { name: "lowerBytes", whole: 0 },
};

/** Where expressions hold others, by the class of binaryen. */
export const CHILDREN = {
  Block: ["children"],
  If: ["condition", "ifTrue", "ifFalse"],
  Loop: ["body"],
  Break: ["condition", "value"],
  Switch: ["condition", "value"],
  Call: ["operands"],
  CallIndirect: ["target", "operands"],
  GlobalGet: [],
  GlobalSet: ["value"],
  Load: ["ptr"],
  Store: ["ptr", "value"],
  Const: [],
  Unary: ["value"],
  Binary: ["left", "right"],
  Select: ["ifTrue", "ifFalse", "condition"],
  Drop: ["value"],
  Return: ["value"],
  MemorySize: [],
  MemoryGrow: ["delta"],
  MemoryCopy: ["dest", "source", "size"],
  MemoryFill: ["dest", "value", "size"],
};
/** The classes by the number of an expression. */
export const CLASSES = new Map(Object.keys(CHILDREN).map((name) => [binaryen[`${name}Id`], name]));

export { type NormalizedVector, normalizeVector } from "./normalize-vector.ts";

/** The rooms of folders, from the ground up, with what each holds. */
export const LAYERS: Readonly<
  Record<string, readonly (readonly [rooms: readonly string[], holds: string])[]>
>;
/** Returns ARCHITECTURE.md with the layers as they are now. */
export function withLayers(document: string): string;

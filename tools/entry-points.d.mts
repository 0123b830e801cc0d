/** Lists what programs import: its name, and its file in `src` and in `dist`, without the ending. */
export const ENTRY_POINTS: readonly { readonly name: string; readonly file: string }[];

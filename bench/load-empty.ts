/** What load.ts imports to learn what importing any file costs. */
export const createNormalizer = () => ({ normalize() {} });

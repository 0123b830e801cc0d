// Changes that no test can find, each with the reason. `npm run proof mutants` does not try them.

/** What a change is, as `npm run proof mutants` prints it, and why it changes no result. */
export const EQUAL = new Map([]);

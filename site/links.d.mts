/** Where the repository is. */
export const REPOSITORY: string;

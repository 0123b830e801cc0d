/** Describes the values that build.mjs puts into the page and its worker. */
declare module "virtual:values" {
  /** Holds the program of the worker. */
  export const workerCode: string;
  /** Says what each rule does. */
  export const ruleTexts: Readonly<Record<string, string>>;
  /** Names the address of the repository, without a slash at its end. */
  export const repository: string;
  /** Holds the kernel with gzip, in Base64. */
  export const kernel: string;
}

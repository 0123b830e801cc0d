/** Describes the values that build.mjs puts into the page and its worker. */
declare module "virtual:values" {
  /** Holds the program of the worker. */
  export const workerCode: string;
  /** Says what each rule does, and names its section of docs/spec.md. */
  export const steps: Readonly<Record<string, { readonly text: string; readonly anchor: string }>>;
  /** Holds the kernel with gzip, in Base64. */
  export const kernel: string;
}

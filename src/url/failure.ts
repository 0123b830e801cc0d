import type { UrlErrorCode } from "../base/status.ts";

/** Says why a row has no normalized form, and at which byte of the text being read. */
export class Failure {
  readonly code: UrlErrorCode;
  readonly at: number;

  constructor(code: UrlErrorCode, at: number) {
    this.code = code;
    this.at = at;
  }
}

// What bundlers bundle for browsers in tests: everything that urlmill exports.
import * as urlmill from "urlmill";

globalThis.urlmill = urlmill;

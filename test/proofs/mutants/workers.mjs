// Calls the process that tries changes, and ends it where it does not answer.
import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { ROOT } from "../copy-tree.mjs";

const FILE = fileURLToPath(new URL("worker.mjs", import.meta.url));

/** A process that tries changes. One that was ended is followed by another. */
export class Worker {
  #child;

  /**
   * Runs a task. `limitOf` says after how many milliseconds a test file does not end; that of `undefined` is for all that
   * comes before. Returns what the task returns, or the test file that does not end or ends the process as
   * `{ endless }`, or `{ stopped: true }` if no test file was running.
   */
  call(message, limitOf) {
    this.#child ??= fork(FILE, { cwd: ROOT, stdio: ["ignore", "ignore", "ignore", "ipc"] });
    const child = this.#child;
    return new Promise((resolve, reject) => {
      let running;
      let timer;
      const end = (settle, value) => {
        clearTimeout(timer);
        child.removeAllListeners();
        settle(value);
      };
      const stop = () => {
        this.stop();
        end(resolve, running === undefined ? { stopped: true } : { endless: running });
      };
      const wait = () => {
        clearTimeout(timer);
        timer = setTimeout(stop, limitOf(running));
      };
      child.on("message", ({ running: file, done, isFull, error }) => {
        if (error !== undefined) return end(reject, new Error(error));
        if (isFull) this.#child = undefined;
        if (done !== undefined) return end(resolve, done);
        running = file;
        wait();
      });
      child.on("exit", () => {
        this.#child = undefined;
        end(resolve, running === undefined ? { stopped: true } : { endless: running });
      });
      wait();
      child.send(message);
    });
  }

  /** Ends the process. */
  stop() {
    this.#child?.removeAllListeners();
    this.#child?.kill("SIGKILL");
    this.#child = undefined;
  }
}

// Lets files of tests see another system's name, to ask what they would skip there. All other code sees the real one.
const { platform } = process;
Object.defineProperty(process, "platform", {
  get() {
    const caller = new Error().stack?.split("\n")[2] ?? "";
    return /\/test\/.*\.ts/.test(caller) ? process.env.URLMILL_SYSTEM : platform;
  },
});

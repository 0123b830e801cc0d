type HelpOf = (...command: string[]) => Promise<string>;

/** Returns what the built command line prints of a command, given as words. */
export const helpOfBuild: HelpOf;

/** Returns docs/commands.md with the help of each command as `helpOf` gives it. */
export function withCommands(document: string, helpOf: HelpOf): Promise<string>;

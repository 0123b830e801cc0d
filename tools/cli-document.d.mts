/** Returns docs/cli.md with the help of each command as it is now. */
export function withCommands(document: string): string;

export function endsWithPath(path: string, name: string): boolean;

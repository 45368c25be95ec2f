export function refusedIn(line: string, rejected: ReadonlyMap<string, string>): string[];

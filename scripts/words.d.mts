export function refusedIn(line: string, refused: ReadonlyMap<string, string>): string[];

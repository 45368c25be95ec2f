export function refusedIn(line: string, rejected: ReadonlyMap<string, string>): string[];
export function formsOf(word: string): string[];

import { UspError, type RequestedPathResult } from '@highline/usp';

/** Codes with which agents report that an object or parameter does not exist; any other failure leaves the value unknown. */
const LACKING: ReadonlySet<number> = new Set([
  UspError.invalidPathSyntax,
  UspError.unsupportedParameter,
  UspError.objectDoesNotExist,
  UspError.invalidPath,
]);

/** More instances than any router has of the tables read here. */
const MOST_INSTANCES = 250;

/** An agent's answer to a Get: values by full path, and which requested paths were answered at all. */
export class Answers {
  readonly #values = new Map<string, string>();
  readonly #answered = new Set<string>();
  readonly #instances = new Map<string, readonly number[]>();

  add(results: readonly RequestedPathResult[]): void {
    this.#instances.clear();
    for (const { requestedPath, errCode, resolvedPathResults } of results) {
      if (errCode === 0) this.#answered.add(requestedPath);
      else this.rejected(requestedPath, errCode);
      for (const { resolvedPath, resultParams } of resolvedPathResults)
        // Keys are names below the resolved path; for a partial path they may be paths themselves.
        for (const [name, value] of resultParams) this.#values.set(resolvedPath + name, value);
    }
  }

  /** The agent answered a path with an error. "Does not exist" counts as an answer. */
  rejected(requestedPath: string, errCode: number): void {
    if (LACKING.has(errCode)) this.#answered.add(requestedPath);
  }

  /** Whether the agent answered this requested path, even with nothing. */
  isAnswered(requestedPath: string): boolean {
    return this.#answered.has(requestedPath);
  }

  get(path: string): string | undefined {
    return this.#values.get(path);
  }

  entries(): IterableIterator<[path: string, value: string]> {
    return this.#values.entries();
  }

  /** Instance numbers of a table (path with its final dot), ascending and bounded. */
  instances(table: string): readonly number[] {
    const known = this.#instances.get(table);
    if (known !== undefined) return known;
    const found = new Set<number>();
    for (const path of this.#values.keys()) {
      const number = path.startsWith(table) ? Number.parseInt(path.slice(table.length, table.length + 10), 10) : Number.NaN;
      if (number > 0) found.add(number);
    }
    const instances = [...found].sort((a, b) => a - b).slice(0, MOST_INSTANCES);
    this.#instances.set(table, instances);
    return instances;
  }
}

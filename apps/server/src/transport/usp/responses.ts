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
export class Responses {
  readonly #values = new Map<string, string>();
  readonly #responded = new Set<string>();
  /** By table; undefined until someone asks. */
  #instances: ReadonlyMap<string, readonly number[]> | undefined;

  add(results: readonly RequestedPathResult[]): void {
    this.#instances = undefined;
    for (const { requestedPath, errCode, resolvedPathResults } of results) {
      if (errCode === 0) this.#responded.add(requestedPath);
      else this.rejected(requestedPath, errCode);
      for (const { resolvedPath, resultParams } of resolvedPathResults)
        // Keys are names below the resolved path; for a partial path they may be paths themselves.
        for (const [name, value] of resultParams) this.#values.set(resolvedPath + name, value);
    }
  }

  /** The agent answered a path with an error. "Does not exist" counts as a response. */
  rejected(requestedPath: string, errCode: number): void {
    if (LACKING.has(errCode)) this.#responded.add(requestedPath);
  }

  /** Whether the agent answered this requested path, even with nothing. */
  hasResponse(requestedPath: string): boolean {
    return this.#responded.has(requestedPath);
  }

  get(path: string): string | undefined {
    return this.#values.get(path);
  }

  entries(): IterableIterator<[path: string, value: string]> {
    return this.#values.entries();
  }

  /** Instance numbers of a table (path with its final dot), ascending and bounded. */
  instances(table: string): readonly number[] {
    this.#instances ??= instancesIn(this.#values.keys());
    return this.#instances.get(table) ?? [];
  }
}

/** Tables in tables; TR-181 has four. A path of hundreds must not cost more. */
const MOST_TABLES = 8;

/** An instance number between two dots. */
const INSTANCE = /\.([1-9]\d{0,8})(?=\.)/gu;

/** The instances of every table, with one look at each object: its parameters follow each other. */
function instancesIn(paths: Iterable<string>): ReadonlyMap<string, readonly number[]> {
  const found = new Map<string, Set<number>>();
  let object = '';
  for (const path of paths) {
    if (path.startsWith(object) && !path.includes('.', object.length)) continue;
    object = path.slice(0, path.lastIndexOf('.') + 1);
    let tables = 0;
    for (const { index, 1: number } of object.matchAll(INSTANCE)) {
      if (++tables > MOST_TABLES) break;
      const table = object.slice(0, index + 1);
      const numbers = found.get(table);
      if (numbers === undefined) found.set(table, new Set([Number(number)]));
      else numbers.add(Number(number));
    }
  }
  return new Map(Array.from(found, ([table, numbers]) => [table, [...numbers].sort((a, b) => a - b).slice(0, MOST_INSTANCES)]));
}

/** An agent's answer to a Get, as the transport hands it over. */
export interface Answers {
  /** Whether the agent answered this requested path, even with nothing. */
  isAnswered(requestedPath: string): boolean;
  /** The value of a full path. */
  get(path: string): string | undefined;
  entries(): Iterable<readonly [path: string, value: string]>;
  /** Instance numbers of a table (path with its final dot), ascending and bounded. */
  instances(table: string): readonly number[];
}

/** An agent's answer to a Get, as the transport hands it over. */
export interface Responses {
  /** Whether the agent answered this requested path, even with nothing. */
  hasResponse(requestedPath: string): boolean;
  /** The value of a full path. */
  get(path: string): string | undefined;
  entries(): Iterable<readonly [path: string, value: string]>;
  /** Instance numbers of a table (path with its final dot), ascending and bounded. */
  instances(table: string): readonly number[];
}

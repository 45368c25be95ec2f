import type { tools } from '@highline/contract';

declare module '../../platform/ports/column-types.ts' {
  interface ColumnTypes {
    'tool_runs.input': tools.ToolInput;
    'tool_runs.result': tools.ToolResult | null;
    'tool_targets.allow': tools.ToolTargets['allow'];
  }
}

/** Why a run failed. */
export interface RunFailure {
  readonly cause: (typeof tools.toolFailures)[number];
  /** The router's own message; '' = none. */
  readonly message: string;
}

/** How a run ended. */
export type RunEnd = { readonly result: tools.ToolResult } | { readonly failure: RunFailure };

const PREFIX = 'tool-';

/** The key with which the run is sent to its router, and its end reported. */
export function keyOfRun(id: string): string {
  return `${PREFIX}${id}`;
}

/** The run of a key; undefined for the keys of other parts of the server. */
export function runOfKey(key: string): string | undefined {
  return key.startsWith(PREFIX) ? key.slice(PREFIX.length) : undefined;
}

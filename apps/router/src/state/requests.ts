import type { RouterState } from './state.ts';

export const REQUESTS = 'Device.LocalAgent.Request.';

/**
 * Start a command that outlives power cuts: its Request row exists as long as it runs (TR-181 Device.LocalAgent.Request.{i}).
 */
export function withRequest(
  state: RouterState,
  { objPath, command, commandKey }: { objPath: string; command: string; commandKey: string },
  originator: string,
): { state: RouterState; requestPath: string } {
  const number = state.nextInstance[REQUESTS] ?? 1;
  const requestPath = `${REQUESTS}${number}.`;
  const row = { Originator: originator, Command: objPath + command, CommandKey: commandKey, Status: 'Active' };
  const rows = { ...state.rows, [requestPath]: row };
  return { state: { ...state, rows, nextInstance: { ...state.nextInstance, [REQUESTS]: number + 1 } }, requestPath };
}

/** It has ended; remove its row. */
export function withoutRequest(state: RouterState, requestPath: string): RouterState {
  const { [requestPath]: _, ...rows } = state.rows;
  return { ...state, rows };
}

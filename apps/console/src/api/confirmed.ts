import { ApiError } from './errors.ts';

/** The effect that a rejected action would have by now; undefined for any other failure. */
export function changedEffect<Impact>(error: unknown): Impact | undefined {
  return error instanceof ApiError && error.key === 'impact.changed' ? (error.detail as Impact) : undefined;
}

/**
 * Ask whether to go on with the effect of an action, and then do exactly what was confirmed. If the effect changes in between, ask again.
 * @param ask whether to go on
 * @returns whether it was done; false when the user declined
 * @throws ApiError of the call
 */
export async function runConfirmed<Impact extends { readonly confirmation: string }>(
  first: Impact,
  ask: (impact: Impact) => Promise<boolean>,
  run: (confirmed: string) => Promise<unknown>,
): Promise<boolean> {
  for (let impact = first; ;) {
    // Each question follows from the response before it.
    if (!(await ask(impact))) return false;
    try {
      await run(impact.confirmation);
      return true;
    } catch (error) {
      const changed = changedEffect<Impact>(error);
      if (changed === undefined) throw error;
      impact = changed;
    }
  }
}

import type { OperationFailure } from '../../../platform/ports/index.ts';
import { sanitizeLine } from '../../../kernel/sanitize-device-text.ts';
import type { StepKind } from './facts.ts';

/** The switch that is requested waits for its router. */
export const OFFLINE = 'offline';

/** The switch was withdrawn: who requested it may not do so any more. */
export const NOT_ALLOWED = 'not-allowed';

/** The switch was withdrawn: its window did not open in time. */
export const EXPIRED = 'expired';

/** The longest router message that is kept, without the code before it. */
export const LONGEST = 160;

/** The codes that our agent's messages begin with, and phrases of other agents for the same. */
const codes = [
  'out-of-memory',
  'download-failed',
  'iccid-mismatch',
  'unreachable',
  'invalid-code',
  'wrong-confirmation',
  'activation-failed',
  'preloaded',
];

const usual: Record<StepKind, string> = { download: 'download-failed', enable: 'activation-failed', delete: 'delete-failed' };

/** The reason of a failed step: a code, followed by the router's own message if there is one. */
export function reasonOf(step: StepKind, failure: OperationFailure): string {
  if (failure.cause === 'unsupported') return 'unsupported';
  const text = sanitizeLine(failure.message, LONGEST) ?? '';
  const code = codes.find((each) => text === each || text.startsWith(`${each}:`));
  if (code !== undefined) return text;
  return text === '' ? `${usual[step]}: error ${failure.code}` : `${usual[step]}: ${text}`;
}

import { UspError } from '@highline/usp';
import type { CommandFailure } from '../../../platform/ports/device-link.ts';
import { sanitizeLine } from '../../../kernel/sanitize-device-text.ts';
import type { StepKind } from './facts.ts';

/** The longest router message that is kept, without the code before it. */
export const LONGEST = 160;

/** USP errors with which an agent says that it has no capacity for the command now. */
const BUSY: ReadonlySet<number> = new Set([7005, 7024]);

/** USP errors for an object that does not exist. */
const LACKING: ReadonlySet<number> = new Set([
  UspError.invalidPathSyntax,
  UspError.unsupportedParameter,
  UspError.objectDoesNotExist,
  UspError.invalidPath,
]);

export const isBusy = ({ code }: CommandFailure): boolean => BUSY.has(code);
export const isLacking = ({ code }: CommandFailure): boolean => LACKING.has(code);

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
export function reasonOf(step: StepKind, failure: CommandFailure): string {
  if (isLacking(failure)) return 'unsupported';
  const text = sanitizeLine(failure.message, LONGEST) ?? '';
  const code = codes.find((each) => text === each || text.startsWith(`${each}:`));
  if (code !== undefined) return text;
  return text === '' ? `${usual[step]}: error ${failure.code}` : `${usual[step]}: ${text}`;
}

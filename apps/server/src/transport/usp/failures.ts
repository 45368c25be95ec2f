import { UspError } from '@highline/usp';
import { sanitizeLine } from '../../kernel/sanitize-device-text.ts';
import type { FailureCause, OperationFailure } from '../../platform/ports/router-operations.ts';

/** Errors with which an agent reports that a command, parameter or object does not exist (TR-369 "Error Codes"). */
const UNSUPPORTED: ReadonlySet<number> = new Set([
  UspError.invalidPathSyntax,
  UspError.unsupportedParameter,
  UspError.objectDoesNotExist,
  UspError.invalidPath,
]);
/** No capacity for the command now. */
const BUSY: ReadonlySet<number> = new Set([UspError.resourcesExceeded, UspError.deleteFailure]);
/** A command that began and did not complete. */
const UNFINISHED: ReadonlySet<number> = new Set([UspError.commandFailure, UspError.commandCanceled]);
/** An agent that loses a command in a restart reports its end afterwards (TR-369 "Asynchronous Operations"). */
const RESTART = /\bre-?(?:boot|start)/iu;

/** A failure in terms of the port, from a USP error. */
export function toFailure(code: number, message: string): OperationFailure {
  return { cause: causeOf(code, message), code, message };
}

function causeOf(code: number, message: string): FailureCause {
  if (UNSUPPORTED.has(code)) return 'unsupported';
  if (BUSY.has(code)) return 'busy';
  if (!UNFINISHED.has(code)) return 'rejected';
  return RESTART.test(sanitizeLine(message) ?? '') ? 'interrupted' : 'failed';
}

import { UspError, type UspErrorBody } from '@highline/usp';
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

/** Whether an error reports that a command, parameter or object does not exist. */
export function isUnsupported(code: number): boolean {
  return UNSUPPORTED.has(code);
}

/** A failure in terms of the port, from an Error message. One about invalid arguments names its cause in the parameter errors. */
export function toErrorFailure({ errCode, errMsg, paramErrs }: UspErrorBody): OperationFailure {
  const first = paramErrs[0];
  const code = errCode === UspError.invalidArguments && first !== undefined ? first.errCode : errCode;
  return toFailure(code, errMsg === '' ? (first?.errMsg ?? '') : errMsg);
}

function causeOf(code: number, message: string): FailureCause {
  if (isUnsupported(code)) return 'unsupported';
  if (BUSY.has(code)) return 'busy';
  if (!UNFINISHED.has(code)) return 'rejected';
  return RESTART.test(sanitizeLine(message) ?? '') ? 'interrupted' : 'failed';
}

/** Error codes of TR-369 ("Error Codes") that this agent sends, defined independently: it shares nothing with packages/usp. */
export const Code = {
  messageNotSupported: 7001,
  internalError: 7003,
  invalidArguments: 7004,
  resourcesExceeded: 7005,
  invalidPathSyntax: 7008,
  unsupportedParameter: 7010,
  invalidType: 7011,
  invalidValue: 7012,
  notWritable: 7013,
  objectDoesNotExist: 7016,
  notATable: 7018,
  notCreatable: 7019,
  requiredParameterFailed: 7021,
  commandFailure: 7022,
  commandCanceled: 7023,
  deleteFailure: 7024,
  duplicateKey: 7025,
  invalidPath: 7026,
  invalidCommandArguments: 7027,
} as const;

/** A failed part of a request; the rest of the request may continue. */
export class UspFault extends Error {
  override readonly name = 'UspFault';
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** Run `work` and return its value, or the fault it threw. Any other error is rethrown. */
export function tryFor<T>(work: () => T): T | UspFault {
  try {
    return work();
  } catch (error) {
    if (error instanceof UspFault) return error;
    throw error;
  }
}

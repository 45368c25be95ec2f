import { UspError, type ResponseTo, type SupportedObject, type UspErrorBody } from '@highline/usp';
import { isUnsupported, toErrorFailure } from './failures.ts';
import type { Session } from './session.ts';

/**
 * Objects of an agent's data model, with their commands and parameters (TR-369 GetSupportedDM). What it has not is left out.
 * @returns undefined when it could not say, because it is busy or has an error: then nothing is known of its model
 * @throws NoResponse
 */
export async function readSupportedObjects(
  session: Session,
  objPaths: readonly string[],
  timeoutMs?: number,
): Promise<readonly SupportedObject[] | undefined> {
  const flags = { returnCommands: true, returnEvents: false, returnParams: true, returnUniqueKeySets: false };
  const request = { type: 'get_supported_dm' as const, objPaths: [...objPaths], firstLevelOnly: true, ...flags };
  return supportedObjects(await session.ask<'get_supported_dm'>(request, timeoutMs));
}

function supportedObjects(response: ResponseTo<'get_supported_dm'> | UspErrorBody): readonly SupportedObject[] | undefined {
  if (response.type === 'error') return isLacking(toErrorFailure(response).code ?? response.errCode) ? [] : undefined;
  const { reqObjResults: results } = response;
  const isComplete = results.every(({ errCode }) => !mayPass.has(errCode));
  return isComplete ? results.flatMap(({ supportedObjs }) => supportedObjs) : undefined;
}

/** Errors of one object that may be gone the next time. With any other, the agent does not describe the object, and has it not for us. */
const mayPass: ReadonlySet<number> = new Set([
  UspError.messageFailed,
  UspError.requestDenied,
  UspError.internalError,
  UspError.resourcesExceeded,
]);

/** Whether it has no such object, or cannot describe its model at all. */
const isLacking = (code: number): boolean => isUnsupported(code) || code === UspError.messageNotSupported;

import { UspError, type ResponseTo, type SupportedObject } from '@highline/usp';
import { isUnsupported, toErrorFailure } from './failures.ts';
import type { Session } from './session.ts';

/**
 * Objects of an agent's data model, with their commands and parameters (TR-369 GetSupportedDM). What it has not is left out. A
 * request that it rejects as a whole (too large, or one path that it does not know) is split in halves, as one for values is.
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
  const response = await session.ask<'get_supported_dm'>(request, timeoutMs);
  if (response.type !== 'error') return supportedObjects(response);
  const code = toErrorFailure(response).code ?? response.errCode;
  if (code === UspError.messageNotSupported) return [];
  if (objPaths.length === 1 || !mayBeOfOne(code)) return isUnsupported(code) ? [] : undefined;
  const middle = Math.ceil(objPaths.length / 2);
  const first = await readSupportedObjects(session, objPaths.slice(0, middle), timeoutMs);
  if (first === undefined) return undefined;
  const second = await readSupportedObjects(session, objPaths.slice(middle), timeoutMs);
  return second && [...first, ...second];
}

function supportedObjects({ reqObjResults: results }: ResponseTo<'get_supported_dm'>): readonly SupportedObject[] | undefined {
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

/** Whether an agent that rejects a request may do so for one of its paths, or for its size. */
const mayBeOfOne = (code: number): boolean => isUnsupported(code) || code === UspError.resourcesExceeded;

import type { ObjectSettings, ParamError, ParamSetting, SetStatus, UspErrorBody } from '@highline/usp';
import type { Session } from '../session.ts';

/** A rejection, with the agent's own message. */
export interface WriteRejection {
  /** USP error code. */
  readonly code: number;
  readonly message: string;
}

/** Result for one object of an Add or a Set. */
export interface WriteResult {
  /** Path of the created instance. */
  readonly path: string | undefined;
  /** Why the object was not created or changed. */
  readonly rejection: WriteRejection | undefined;
  /** Names of optional parameters that were rejected although the object was created or changed. */
  readonly withoutParams: ReadonlySet<string>;
}

/**
 * Add objects to an agent, each independently of the others.
 * @returns one result per object, in their order
 * @throws NoResponse
 */
export async function addObjects(session: Session, objects: readonly ObjectSettings[]): Promise<WriteResult[]> {
  if (objects.length === 0) return [];
  const response = await session.ask<'add'>({ type: 'add', allowPartial: true, createObjs: [...objects] });
  if (response.type === 'error') return eachAlone(objects, response, (one) => addObjects(session, [one]));
  return objects.map(({ paramSettings }, index): WriteResult => {
    const status = response.createdObjResults[index]?.operStatus;
    if (status?.type !== 'oper_success') return rejectedWrite(status ?? NO_RESULT);
    return { ...acceptedWith(paramSettings, status.paramErrs), path: status.instantiatedPath };
  });
}

/**
 * Set parameters of an agent's objects, each object independently of the others.
 * @returns one result per object, in their order
 * @throws NoResponse
 */
export async function setObjects(session: Session, objects: readonly ObjectSettings[]): Promise<WriteResult[]> {
  if (objects.length === 0) return [];
  const response = await session.ask<'set'>({ type: 'set', allowPartial: true, updateObjs: [...objects] });
  if (response.type === 'error') return eachAlone(objects, response, (one) => setObjects(session, [one]));
  return objects.map(({ paramSettings }, index): WriteResult => {
    const status = response.updatedObjResults[index]?.operStatus;
    if (status?.type !== 'oper_success') return rejectedWrite(status === undefined ? NO_RESULT : failureOf(status));
    return acceptedWith(
      paramSettings,
      status.updatedInstResults.flatMap(({ paramErrs }) => paramErrs),
    );
  });
}

/**
 * Delete objects of an agent.
 * @returns the rejections
 */
export async function deleteObjects(session: Session, objPaths: readonly string[]): Promise<WriteRejection[]> {
  if (objPaths.length === 0) return [];
  const response = await session.ask<'delete'>({ type: 'delete', allowPartial: true, objPaths: [...objPaths] });
  if (response.type === 'error') return [rejectionOf(response)];
  return response.deletedObjResults.flatMap(({ operStatus }) =>
    operStatus.type === 'oper_failure' ? [{ code: operStatus.errCode, message: operStatus.errMsg }] : [],
  );
}

/** Some agents reject a whole message because of one object or its length: then send each object alone. */
async function eachAlone(
  objects: readonly ObjectSettings[],
  error: UspErrorBody,
  write: (object: ObjectSettings) => Promise<WriteResult[]>,
): Promise<WriteResult[]> {
  if (objects.length === 1) return [{ path: undefined, rejection: rejectionOf(error), withoutParams: new Set() }];
  const results: WriteResult[] = [];
  for (const object of objects) results.push(...(await write(object)));
  return results;
}

const NO_RESULT = { errCode: 7000, errMsg: '' };

/** An Error message may contain only "invalid arguments", and name the cause in its parameter errors. */
export function rejectionOf({ errCode, errMsg, paramErrs }: UspErrorBody): WriteRejection {
  const first = paramErrs[0];
  if (first === undefined) return { code: errCode, message: errMsg };
  return { code: first.errCode, message: `${first.paramPath}: ${first.errMsg === '' ? errMsg : first.errMsg}` };
}

function rejectedWrite({ errCode, errMsg }: { readonly errCode: number; readonly errMsg: string }): WriteResult {
  return { path: undefined, rejection: { code: errCode, message: errMsg }, withoutParams: new Set() };
}

function failureOf({ errCode, errMsg, updatedInstFailures }: Extract<SetStatus, { type: 'oper_failure' }>) {
  const first = updatedInstFailures.flatMap(({ paramErrs }) => paramErrs)[0];
  if (first === undefined) return { errCode, errMsg };
  return { errCode: first.errCode, errMsg: `${first.param}: ${first.errMsg === '' ? errMsg : first.errMsg}` };
}

/**
 * Parameter errors within a success: for optional parameters by the standard, for required ones from agents that ignore
 * `required`.
 */
function acceptedWith(settings: readonly ParamSetting[], paramErrs: readonly ParamError[]): WriteResult {
  const isRequired = ({ param: name }: ParamError) => settings.some(({ param, required }) => param === name && required);
  const fault = paramErrs.find(isRequired);
  const rejection = fault && { code: fault.errCode, message: `${fault.param}: ${fault.errMsg}` };
  return { path: undefined, rejection, withoutParams: new Set(paramErrs.map(({ param }) => param)) };
}

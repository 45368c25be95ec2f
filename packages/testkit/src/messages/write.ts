import type { IndependentValue } from '../codec.ts';
import { Code, tryFor, UspFault } from '../errors.ts';
import type { DataModel } from '../model/data-model.ts';
import { isTable, resolveObjects, supportedPathOf } from '../model/resolve.ts';
import { completeSubscription } from '../model/subscriptions.ts';
import type { Traits } from '../traits.ts';

/** A request rejected as a whole: an Error message with one entry for each parameter or path. */
export class RejectedRequest extends Error {
  override readonly name = 'RejectedRequest';
  readonly paramErrs: readonly IndependentValue[];

  constructor(paramErrs: readonly IndependentValue[]) {
    super('The request was rejected.');
    this.paramErrs = paramErrs;
  }
}

/** Changes of a request, for notifications. */
export interface Changes {
  readonly created: string[];
  readonly deleted: string[];
  /** Full paths of parameters. */
  readonly written: string[];
}

interface Setting {
  readonly param: string;
  readonly value: string;
  readonly required: boolean;
}

interface ObjectSettings {
  readonly objPath: string;
  readonly paramSettings: readonly Setting[];
}

interface ParameterError {
  readonly param: string;
  readonly errCode: number;
  readonly errMsg: string;
}

/** Rejected settings of one object, with the parameters at fault. */
class ObjectFault extends UspFault {
  readonly paramErrs: readonly ParameterError[];

  constructor(code: number, message: string, paramErrs: readonly ParameterError[]) {
    super(code, message);
    this.paramErrs = paramErrs;
  }
}

const failed = (requestedPath: string, value: IndependentValue): IndependentValue => ({
  requestedPath,
  operStatus: { one: { case: 'operFailure', value } },
});
const succeeded = (requestedPath: string, value: IndependentValue): IndependentValue => ({
  requestedPath,
  operStatus: { one: { case: 'operSuccess', value } },
});

/** Run one part of a request; when it fails, the data model is unchanged. */
function attempt<T>(model: DataModel, work: () => T): T | UspFault {
  const before = model.state();
  const result = tryFor(work);
  if (result instanceof UspFault) model.restore(before);
  return result;
}

/** Fail the whole request because a part of it failed and `allow_partial` is false. */
function rejectWrite(model: DataModel, before: ReturnType<DataModel['state']>, path: string, fault: UspFault): never {
  model.restore(before);
  const paramErrs =
    fault instanceof ObjectFault && fault.paramErrs.length > 0
      ? fault.paramErrs.map(({ param, errCode, errMsg }) => ({ paramPath: path + param, errCode, errMsg }))
      : [{ paramPath: path, errCode: fault.code, errMsg: fault.message }];
  throw new RejectedRequest(paramErrs);
}

/** @throws ObjectFault when a required parameter fails @returns errors of the others */
function applySettings(
  model: DataModel,
  objectPath: string,
  settings: readonly Setting[],
  isNew: boolean,
  isRequired: (setting: Setting) => boolean,
  changes: Changes,
): ParameterError[] {
  const errors: ParameterError[] = [];
  for (const setting of settings) {
    const { param, value } = setting;
    const path = objectPath + param;
    const fault = tryFor(() => model.assign(path, value, isNew));
    if (!(fault instanceof UspFault)) {
      changes.written.push(path);
      continue;
    }
    const error = { param, errCode: fault.code, errMsg: fault.message };
    if (isRequired(setting)) throw new ObjectFault(isNew ? fault.code : Code.requiredParameterFailed, fault.message, [error]);
    errors.push(error);
  }
  return errors;
}

/** What a new subscription depends on: the path of the requesting controller, and types of notification that are not sent. */
export interface Subscriber {
  readonly recipient: string;
  readonly rejectedNotifications: readonly string[];
}

/** Add (TR-369 7.4.1). @throws RejectedRequest */
export function respondToAdd(
  model: DataModel,
  request: IndependentValue,
  subscriber: Subscriber,
  changes: Changes,
): IndependentValue {
  const before = model.state();
  const createdObjResults = (request['createObjs'] as ObjectSettings[]).map((settings) => {
    const result = attempt(model, () => createObject(model, settings, subscriber, changes));
    if (!(result instanceof UspFault)) return succeeded(settings.objPath, result);
    if (request['allowPartial'] !== true) rejectWrite(model, before, settings.objPath, result);
    return failed(settings.objPath, { errCode: result.code, errMsg: result.message });
  });
  return { createdObjResults };
}

function createObject(
  model: DataModel,
  { objPath, paramSettings }: ObjectSettings,
  subscriber: Subscriber,
  changes: Changes,
): IndependentValue {
  const own: Changes = { created: [], deleted: [], written: [] };
  const definition = model.supported.get(`${supportedPathOf(objPath)}{i}.`);
  const [table, ...others] = resolveObjects(model, objPath);
  if (!isTable(model, supportedPathOf(objPath)) || definition === undefined)
    throw new UspFault(Code.notATable, `${objPath} is not a table`);
  if (!definition.isCreatable) throw new UspFault(Code.notCreatable, `${objPath} cannot be added to`);
  if (table === undefined || others.length > 0) throw new UspFault(Code.objectDoesNotExist, `${objPath} is not one table`);
  const path = model.create(table);
  // TR-369 7.4.1, note at `required`: a parameter of a unique key counts as required, regardless of the field.
  const keys = new Set(definition.uniqueKeys.flat());
  const paramErrs = applySettings(model, path, paramSettings, true, ({ param, required }) => required || keys.has(param), own);
  fillKeys(model, path, subscriber);
  rejectDuplicate(model, table, path);
  changes.created.push(path);
  return { instantiatedPath: path, paramErrs, uniqueKeys: model.uniqueKeysOf(path) };
}

/** Fill in what the agent sets on a new object: read-only or missing values. */
function fillKeys(model: DataModel, path: string, { recipient, rejectedNotifications }: Subscriber): void {
  const instance = /(\d+)\.$/u.exec(path)?.[1] ?? '';
  if (model.value(`${path}Alias`) === '') model.write(`${path}Alias`, `cpe-${instance}`);
  if (path.startsWith('Device.LocalAgent.Subscription.')) completeSubscription(model, path, recipient, rejectedNotifications);
}

function rejectDuplicate(model: DataModel, table: string, path: string): void {
  for (const names of model.definitionOf(path)?.uniqueKeys ?? []) {
    const key = (instance: string) => JSON.stringify(names.map((name) => model.value(instance + name)));
    if (model.instances(table).some((other) => other !== path && key(other) === key(path)))
      throw new UspFault(Code.duplicateKey, `${table} has an instance with the same ${names.join(' and ')}`);
  }
}

/** Set (TR-369 7.4.2). @throws RejectedRequest */
export function respondToSet(
  model: DataModel,
  request: IndependentValue,
  changes: Changes,
  { mostSetObjects, ignoredParameters }: Pick<Traits, 'mostSetObjects' | 'ignoredParameters'>,
): IndependentValue {
  const before = model.state();
  const ignored = new Map(ignoredParameters.map((path) => [path, model.value(path)]));
  const objects = request['updateObjs'] as ObjectSettings[];
  if (objects.length > mostSetObjects)
    rejectWrite(model, before, objects[0]!.objPath, new UspFault(Code.resourcesExceeded, `takes ${mostSetObjects} objects`));
  const updatedObjResults = objects.map((settings) => {
    const result = attempt(model, () => updateObjects(model, settings, changes));
    if (!(result instanceof UspFault)) return succeeded(settings.objPath, { updatedInstResults: result });
    if (request['allowPartial'] !== true) rejectWrite(model, before, settings.objPath, result);
    const paramErrs = result instanceof ObjectFault ? result.paramErrs : [];
    const updatedInstFailures = paramErrs.length === 0 ? [] : [{ affectedPath: settings.objPath, paramErrs }];
    return failed(settings.objPath, { errCode: result.code, errMsg: result.message, updatedInstFailures });
  });
  for (const [path, value] of ignored) if (value !== undefined) model.write(path, value);
  return { updatedObjResults };
}

function updateObjects(model: DataModel, { objPath, paramSettings }: ObjectSettings, changes: Changes): IndependentValue[] {
  const own: Changes = { created: [], deleted: [], written: [] };
  if (isTable(model, supportedPathOf(objPath))) throw new UspFault(Code.objectDoesNotExist, `${objPath} names no instance`);
  const results = resolveObjects(model, objPath).map((affectedPath) => {
    const paramErrs = applySettings(model, affectedPath, paramSettings, false, ({ required }) => required, own);
    const faulty = new Set(paramErrs.map(({ param }) => param));
    const names = paramSettings.flatMap(({ param }) => (faulty.has(param) ? [] : [param]));
    const updatedParams = Object.fromEntries(names.map((name) => [name, model.reading(affectedPath + name)]));
    return { affectedPath, paramErrs, updatedParams };
  });
  changes.written.push(...own.written);
  return results;
}

/** Delete (TR-369 7.4.3). @throws RejectedRequest */
export function respondToDelete(model: DataModel, request: IndependentValue, changes: Changes): IndependentValue {
  const before = model.state();
  const deletedObjResults = (request['objPaths'] as string[]).map((requestedPath) => {
    const result = attempt(model, () => deleteObjects(model, requestedPath));
    if (result instanceof UspFault && request['allowPartial'] !== true) rejectWrite(model, before, requestedPath, result);
    if (result instanceof UspFault) return failed(requestedPath, { errCode: result.code, errMsg: result.message });
    changes.deleted.push(...result);
    return succeeded(requestedPath, { affectedPaths: result });
  });
  return { deletedObjResults };
}

function deleteObjects(model: DataModel, requestedPath: string): string[] {
  const found = resolveObjects(model, requestedPath);
  if (model.supported.get(supportedPathOf(requestedPath))?.isCreatable !== true)
    throw new UspFault(Code.deleteFailure, `${requestedPath} cannot be deleted`);
  for (const path of found) model.remove(path);
  return found;
}

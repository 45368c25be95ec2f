import { UspError } from '@highline/usp';
import type {
  AddRequest,
  AddStatus,
  DeleteRequest,
  DeleteStatus,
  Failure,
  ObjectSettings,
  ParamError,
  ParamSetting,
  SetRequest,
  SetStatus,
  UspErrorBody,
  UspErrorCode,
  UspResponse,
} from '@highline/usp';
import { type ObjectDef, type RouterView, UspFault, readParam } from './definition.ts';
import type { Draft } from './draft.ts';
import { type Located, type Model, findNode, instancesOf, locate } from './model.ts';
import { uniqueKeysOf } from './read.ts';
import { acceptValue } from './values.ts';

/**
 * Add, Set and Delete (TR-369 "Creating, Updating, and Deleting Objects"). Each element succeeds or fails as a whole. Without
 * `allow_partial` one failure fails the message: an Error answer, and the draft is thrown away by the caller.
 */
export type WriteAnswer = UspResponse | UspErrorBody;

/** Answers Add; successful elements are in the draft. */
export function answerAdd(model: Model, draft: Draft, request: AddRequest): WriteAnswer {
  const createdObjResults = request.createObjs.map((object) => ({
    requestedPath: object.objPath,
    operStatus: attempt(() => addObject(model, draft, object)) satisfies AddStatus,
  }));
  return answer(request.allowPartial, createdObjResults, { type: 'add_resp', createdObjResults });
}

/** Answers Set; successful elements are in the draft. */
export function answerSet(model: Model, draft: Draft, request: SetRequest): WriteAnswer {
  const updatedObjResults = request.updateObjs.map((object) => ({
    requestedPath: object.objPath,
    operStatus: setObjects(model, draft, object),
  }));
  return answer(request.allowPartial, updatedObjResults, { type: 'set_resp', updatedObjResults });
}

/** Answers Delete; successful elements are gone from the draft. */
export function answerDelete(model: Model, draft: Draft, request: DeleteRequest): WriteAnswer {
  const deletedObjResults = request.objPaths.map((requestedPath) => ({
    requestedPath,
    operStatus: attempt(() => deleteObjects(model, draft, requestedPath)) satisfies DeleteStatus,
  }));
  return answer(request.allowPartial, deletedObjResults, { type: 'delete_resp', deletedObjResults });
}

type Result = { requestedPath: string; operStatus: { type: 'oper_success' } | ({ type: 'oper_failure' } & Failure) };

function answer(allowPartial: boolean, results: Result[], response: UspResponse): WriteAnswer {
  const failures = results.flatMap(({ requestedPath, operStatus }) =>
    operStatus.type === 'oper_failure'
      ? [{ paramPath: requestedPath, errCode: operStatus.errCode, errMsg: operStatus.errMsg }]
      : [],
  );
  if (allowPartial || failures.length === 0) return response;
  return { type: 'error', errCode: UspError.invalidArguments, errMsg: failures[0]?.errMsg ?? '', paramErrs: failures };
}

function attempt<T extends { type: 'oper_success' }>(act: () => T): T | ({ type: 'oper_failure' } & Failure) {
  try {
    return act();
  } catch (error) {
    if (error instanceof UspFault) return { type: 'oper_failure', errCode: error.code, errMsg: error.message };
    throw error;
  }
}

function addObject(model: Model, draft: Draft, { objPath, paramSettings }: ObjectSettings) {
  const table = onlyTable(model, draft, objPath);
  const def = table.node.instance?.def;
  const max = def?.table?.grows?.max;
  if (!def || max === undefined)
    throw new UspFault(UspError.attemptToCreateNonCreatableObject, `${objPath} takes no new objects`);
  if (instancesOf(draft.view, table).length >= max) throw new UspFault(UspError.resourcesExceeded, `${objPath} is full (${max})`);
  const id = draft.takeInstance(table.path);
  const place: Located = { node: table.node.instance!, path: `${table.path}${id}.`, ids: [...table.ids, id] };
  const { values, paramErrs } = checkSettings(draft.view, place, paramSettings);
  refuseKeys(def, paramErrs);
  refuseRequired(paramSettings, paramErrs);
  refuseDuplicate(draft, table, place, values);
  draft.write(place.path, { ...valuesAtCreation(draft, place), ...values });
  draft.created.push(place.path);
  const uniqueKeys = uniqueKeysOf(draft.view, place);
  return { type: 'oper_success' as const, instantiatedPath: place.path, paramErrs, uniqueKeys };
}

function onlyTable(model: Model, draft: Draft, objPath: string): Located {
  if (!findNode(model, objPath)?.instance) throw new UspFault(UspError.objectIsNotATable, `${objPath} is not a table`);
  const [table, ...more] = locate(model, draft.view, objPath);
  if (!table || more.length > 0)
    throw new UspFault(UspError.objectCouldNotBeCreated, `${objPath} does not name exactly one table`);
  return table;
}

function valuesAtCreation(draft: Draft, { node }: Located): { [param: string]: string } {
  const made = Object.entries(node.def?.params ?? {}).flatMap(([name, param]) =>
    'atCreation' in param && param.atCreation ? [[name, param.atCreation(draft.view)] as const] : [],
  );
  return Object.fromEntries(made);
}

function setObjects(model: Model, draft: Draft, { objPath, paramSettings }: ObjectSettings): SetStatus {
  try {
    const updates = locate(model, draft.view, objPath).map((place) => ({
      place,
      ...checkSettings(draft.view, place, paramSettings),
    }));
    const failed = updates.filter(({ paramErrs }) => missesRequired(paramSettings, paramErrs));
    if (failed.length > 0) return setFailure(failed);
    for (const { place, values } of updates) refuseDuplicate(draft, tableOf(place), place, values);
    return { type: 'oper_success', updatedInstResults: updates.map((update) => writeUpdate(draft, update)) };
  } catch (error) {
    if (!(error instanceof UspFault)) throw error;
    return { type: 'oper_failure', errCode: error.code, errMsg: error.message, updatedInstFailures: [] };
  }
}

type Update = { place: Located; values: { [param: string]: string }; paramErrs: ParamError[] };

function writeUpdate(draft: Draft, { place, values, paramErrs }: Update) {
  if (Object.keys(values).length > 0) draft.write(place.path, values);
  return { affectedPath: place.path, paramErrs, updatedParams: new Map(Object.entries(values)) };
}

function setFailure(failed: Update[]): SetStatus {
  const first = failed[0]?.paramErrs[0];
  return {
    type: 'oper_failure',
    errCode: UspError.requiredParameterFailed,
    errMsg: first ? `${first.param}: ${first.errMsg}` : '',
    updatedInstFailures: failed.map(({ place, paramErrs }) => ({ affectedPath: place.path, paramErrs })),
  };
}

/** Accepted values and complaints; settings of the object itself only, no paths. */
function checkSettings(
  router: RouterView,
  { node, path }: Located,
  settings: readonly ParamSetting[],
): Pick<Update, 'values' | 'paramErrs'> {
  const values: [string, string][] = [];
  const paramErrs: ParamError[] = [];
  if (!node.def) throw new UspFault(UspError.objectCouldNotBeUpdated, `${path} holds no parameters`);
  for (const { param: name, value } of settings) {
    const param = Object.hasOwn(node.def.params, name) ? node.def.params[name] : undefined;
    const accepted = param
      ? acceptValue(param, value, router)
      : { errCode: UspError.unsupportedParameter, errMsg: 'not a parameter of this object' };
    if ('value' in accepted) values.push([name, accepted.value]);
    else paramErrs.push({ param: name, ...accepted });
  }
  return { values: Object.fromEntries(values), paramErrs };
}

function missesRequired(settings: readonly ParamSetting[], paramErrs: readonly ParamError[]): boolean {
  return paramErrs.some(({ param }) => settings.some((setting) => setting.param === param && setting.required));
}

function refuseRequired(settings: readonly ParamSetting[], paramErrs: readonly ParamError[]): void {
  const missed = paramErrs.find((error) => missesRequired(settings, [error]));
  if (missed) throw new UspFault(UspError.requiredParameterFailed, `${missed.param}: ${missed.errMsg}`);
}

/** A parameter of a unique key counts as required, whatever the setting says (TR-369 "Add", note at `required`). */
function refuseKeys({ table }: ObjectDef, paramErrs: readonly ParamError[]): void {
  const key = paramErrs.find(({ param }) => table?.uniqueKeys.some((names) => names.includes(param)));
  if (key) throw new UspFault(key.errCode as UspErrorCode, `${key.param}: ${key.errMsg}`);
}

/** The table that an instance stands in, undefined for a single object. */
function tableOf({ node, path, ids }: Located): Located | undefined {
  if (!node.def?.table) return undefined;
  const holder = { name: '', def: undefined, children: new Map(), instance: node };
  return { node: holder, path: path.slice(0, path.lastIndexOf('.', path.length - 2) + 1), ids: ids.slice(0, -1) };
}

function refuseDuplicate(draft: Draft, table: Located | undefined, place: Located, values: { [param: string]: string }): void {
  const def = place.node.def;
  if (!table || !def?.table) return;
  const keyOf = (at: Located, names: readonly string[], changed: { [param: string]: string }) =>
    names.map((name) => changed[name] ?? readParam(def.params[name]!, name, draft.view, at.path, at.ids));
  const others = instancesOf(draft.view, table).filter((other) => other.path !== place.path);
  for (const names of def.table.uniqueKeys) {
    const wanted = keyOf(place, names, values).join('\n');
    if (others.some((other) => keyOf(other, names, {}).join('\n') === wanted)) {
      throw new UspFault(UspError.objectExistsWithDuplicateKey, `another object has the same ${names.join(' and ')}`);
    }
  }
}

function deleteObjects(model: Model, draft: Draft, objPath: string) {
  const places = locate(model, draft.view, objPath);
  for (const { node } of places) {
    if (!node.def?.table?.grows) throw new UspFault(UspError.deleteFailure, `${objPath} cannot be deleted`);
  }
  const affectedPaths = places.map((place) => place.path);
  for (const path of affectedPaths) draft.remove(path);
  return { type: 'oper_success' as const, affectedPaths, unaffectedPathErrs: [] };
}

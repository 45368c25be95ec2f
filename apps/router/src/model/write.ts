import {
  UspError,
  type AddRequest,
  type AddStatus,
  type DeleteRequest,
  type DeleteStatus,
  type Failure,
  type ObjectSettings,
  type ParamError,
  type ParamSetting,
  type SetRequest,
  type SetStatus,
  type UspErrorBody,
  type UspErrorCode,
  type UspResponse,
} from '@highline/usp';
import { checkSettings, type Update } from './checked-settings.ts';
import { type ObjectDef, UspFault, readParam } from './definition.ts';
import { type Located, type Model, findNode, instancesOf, locate } from './model.ts';
import { uniqueKeysOf } from './read.ts';
import type { Transaction } from './transaction.ts';

/**
 * Add, Set and Delete (TR-369 "Creating, Updating, and Deleting Objects"). Each element succeeds or fails as a whole. Without
 * `allow_partial` one failure fails the message: the response is an Error, and the caller discards the transaction.
 */
export type WriteResponse = UspResponse | UspErrorBody;

/** Answer Add; successful elements are in the transaction. */
export function respondToAdd(model: Model, transaction: Transaction, request: AddRequest): WriteResponse {
  const createdObjResults = request.createObjs.map((object) => ({
    requestedPath: object.objPath,
    operStatus: attempt(() => addObject(model, transaction, object)) satisfies AddStatus,
  }));
  return respond(request.allowPartial, createdObjResults, { type: 'add_resp', createdObjResults });
}

/** Answer Set; successful elements are in the transaction. */
export function respondToSet(model: Model, transaction: Transaction, request: SetRequest): WriteResponse {
  const updatedObjResults = request.updateObjs.map((object) => ({
    requestedPath: object.objPath,
    operStatus: setObjects(model, transaction, object),
  }));
  return respond(request.allowPartial, updatedObjResults, { type: 'set_resp', updatedObjResults });
}

/** Answer Delete; successful elements are removed in the transaction. */
export function respondToDelete(model: Model, transaction: Transaction, request: DeleteRequest): WriteResponse {
  const deletedObjResults = request.objPaths.map((requestedPath) => ({
    requestedPath,
    operStatus: attempt(() => deleteObjects(model, transaction, requestedPath)) satisfies DeleteStatus,
  }));
  return respond(request.allowPartial, deletedObjResults, { type: 'delete_resp', deletedObjResults });
}

type Result = { requestedPath: string; operStatus: { type: 'oper_success' } | ({ type: 'oper_failure' } & Failure) };

function respond(allowPartial: boolean, results: Result[], response: UspResponse): WriteResponse {
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

function addObject(model: Model, transaction: Transaction, { objPath, paramSettings }: ObjectSettings) {
  const table = onlyTable(model, transaction, objPath);
  const def = table.node.instance?.def;
  const max = def?.table?.grows?.max;
  if (!def || max === undefined)
    throw new UspFault(UspError.attemptToCreateNonCreatableObject, `${objPath} takes no new objects`);
  if (instancesOf(transaction.view, table).length >= max)
    throw new UspFault(UspError.resourcesExceeded, `${objPath} is full (${max})`);
  const id = allocateInstance(transaction, table);
  const located: Located = { node: table.node.instance!, path: `${table.path}${id}.`, ids: [...table.ids, id] };
  const { values, paramErrs } = checkSettings(transaction.view, located, paramSettings);
  rejectKeys(def, paramErrs);
  rejectRequired(paramSettings, paramErrs);
  rejectDuplicate(transaction, table, located, values);
  transaction.write(located.path, { ...valuesAtCreation(transaction, located), ...values });
  transaction.created.push(located.path);
  const uniqueKeys = uniqueKeysOf(transaction.view, located);
  return { type: 'oper_success' as const, instantiatedPath: located.path, paramErrs, uniqueKeys };
}

/** The next number that no fixed instance has. */
function allocateInstance(transaction: Transaction, table: Located): number {
  const taken = new Set(instancesOf(transaction.view, table).map(({ ids }) => ids.at(-1)));
  let id = transaction.allocateInstance(table.path);
  while (taken.has(id)) id = transaction.allocateInstance(table.path);
  return id;
}

function onlyTable(model: Model, transaction: Transaction, objPath: string): Located {
  if (!findNode(model, objPath)?.instance) throw new UspFault(UspError.objectIsNotATable, `${objPath} is not a table`);
  const [table, ...more] = locate(model, transaction.view, objPath);
  if (!table || more.length > 0)
    throw new UspFault(UspError.objectCouldNotBeCreated, `${objPath} does not name exactly one table`);
  return table;
}

function valuesAtCreation(transaction: Transaction, { node }: Located): { [param: string]: string } {
  const made = Object.entries(node.def?.params ?? {}).flatMap(([name, param]) =>
    'atCreation' in param && param.atCreation ? [[name, param.atCreation(transaction.view)] as const] : [],
  );
  return Object.fromEntries(made);
}

function setObjects(model: Model, transaction: Transaction, { objPath, paramSettings }: ObjectSettings): SetStatus {
  try {
    const updates = locate(model, transaction.view, objPath).map((located) => ({
      located,
      ...checkSettings(transaction.view, located, paramSettings),
    }));
    const failed = updates.filter(({ paramErrs }) => missesRequired(paramSettings, paramErrs));
    if (failed.length > 0) return setFailure(failed);
    for (const { located, values } of updates) rejectDuplicate(transaction, tableOf(located), located, values);
    return { type: 'oper_success', updatedInstResults: updates.map((update) => writeUpdate(transaction, update)) };
  } catch (error) {
    if (!(error instanceof UspFault)) throw error;
    return { type: 'oper_failure', errCode: error.code, errMsg: error.message, updatedInstFailures: [] };
  }
}

function writeUpdate(transaction: Transaction, { located, values, reads, paramErrs }: Update) {
  if (Object.keys(values).length > 0) transaction.write(located.path, values);
  return { affectedPath: located.path, paramErrs, updatedParams: reads };
}

function setFailure(failed: Update[]): SetStatus {
  const first = failed[0]?.paramErrs[0];
  return {
    type: 'oper_failure',
    errCode: UspError.requiredParameterFailed,
    errMsg: first ? `${first.param}: ${first.errMsg}` : '',
    updatedInstFailures: failed.map(({ located, paramErrs }) => ({ affectedPath: located.path, paramErrs })),
  };
}

function missesRequired(settings: readonly ParamSetting[], paramErrs: readonly ParamError[]): boolean {
  return paramErrs.some(({ param }) => settings.some((setting) => setting.param === param && setting.required));
}

function rejectRequired(settings: readonly ParamSetting[], paramErrs: readonly ParamError[]): void {
  const missed = paramErrs.find((error) => missesRequired(settings, [error]));
  if (missed) throw new UspFault(UspError.requiredParameterFailed, `${missed.param}: ${missed.errMsg}`);
}

/** A parameter of a unique key counts as required, regardless of the setting (TR-369 "Add", note at `required`). */
function rejectKeys({ table }: ObjectDef, paramErrs: readonly ParamError[]): void {
  const key = paramErrs.find(({ param }) => table?.uniqueKeys.some((names) => names.includes(param)));
  if (key) throw new UspFault(key.errCode as UspErrorCode, `${key.param}: ${key.errMsg}`);
}

/** The table of an instance, undefined for a single object. */
function tableOf({ node, path, ids }: Located): Located | undefined {
  if (!node.def?.table) return undefined;
  const holder = { name: '', def: undefined, children: new Map(), instance: node };
  return { node: holder, path: path.slice(0, path.lastIndexOf('.', path.length - 2) + 1), ids: ids.slice(0, -1) };
}

function rejectDuplicate(
  transaction: Transaction,
  table: Located | undefined,
  located: Located,
  values: { [param: string]: string },
): void {
  const def = located.node.def;
  if (!table || !def?.table) return;
  const keyOf = (at: Located, names: readonly string[], changed: { [param: string]: string }) =>
    names.map((name) => changed[name] ?? readParam(def.params[name]!, name, transaction.view, at.path, at.ids));
  const others = instancesOf(transaction.view, table).filter((other) => other.path !== located.path);
  for (const names of def.table.uniqueKeys) {
    const ownKey = keyOf(located, names, values).join('\n');
    if (others.some((other) => keyOf(other, names, {}).join('\n') === ownKey)) {
      throw new UspFault(UspError.objectExistsWithDuplicateKey, `another object has the same ${names.join(' and ')}`);
    }
  }
}

function deleteObjects(model: Model, transaction: Transaction, objPath: string) {
  const locations = locate(model, transaction.view, objPath);
  for (const { node, ids } of locations) {
    const { grows, instances } = node.def?.table ?? {};
    if (!grows || instances?.(transaction.view, ids.slice(0, -1)).includes(ids.at(-1)!))
      throw new UspFault(UspError.deleteFailure, `${objPath} cannot be deleted`);
  }
  const affectedPaths = locations.map((located) => located.path);
  for (const path of affectedPaths) transaction.remove(path);
  return { type: 'oper_success' as const, affectedPaths, unaffectedPathErrs: [] };
}

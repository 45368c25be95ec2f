import { UspError, pathKind, splitLeaf, splitPath } from '@highline/usp';
import type { GetInstancesRequest, GetRequest, InstancesResult, RequestedPathResult, ResponseTo, StringMap } from '@highline/usp';
import { type ParamDef, type RouterView, UspFault, readParam } from './definition.ts';
import { type Located, type Model, childrenOf, instancesOf, locate } from './model.ts';

/** Answer Get (TR-369 "Get"): exact, partial and search paths; a failing path does not affect the others. */
export function respondToGet(model: Model, router: RouterView, request: GetRequest): ResponseTo<'get'> {
  return { type: 'get_resp', reqPathResults: request.paramPaths.map((path) => getOne(model, router, path, request.maxDepth)) };
}

/** Answer GetInstances (TR-369 "GetInstances"). */
export function respondToGetInstances(
  model: Model,
  router: RouterView,
  request: GetInstancesRequest,
): ResponseTo<'get_instances'> {
  const reqPathResults = request.objPaths.map((path) => listInstances(model, router, path, request.firstLevelOnly));
  return { type: 'get_instances_resp', reqPathResults };
}

/** An existing parameter with its location. */
export type FoundParam = { path: string; name: string; param: ParamDef; located: Located };

/**
 * All parameters that a path names, as Get resolves it: a parameter path only itself, an object path everything below it.
 * @param maxDepth levels of objects to descend, the object itself included; 0 = no limit
 * @throws UspFault as `locate`; 7026 for a parameter that the model lacks
 */
export function findParams(model: Model, router: RouterView, path: string, maxDepth = 0): FoundParam[] {
  if (pathKind(path) === 'object') {
    return locateAll(model, router, path).flatMap((located) => paramsBelow(router, located, maxDepth || Infinity));
  }
  const [objPath, name] = splitLeaf(path);
  const locations = locate(model, router, objPath);
  return locations.map((located) => {
    const param = located.node.def && Object.hasOwn(located.node.def.params, name) ? located.node.def.params[name] : undefined;
    if (!param) throw new UspFault(UspError.invalidPath, `${path} is not a parameter of this router`);
    return { path: located.path + name, name, param, located };
  });
}

/** The current value of a found parameter. */
export function valueOf(router: RouterView, { param, name, located }: FoundParam): string {
  return readParam(param, name, router, located.path, located.ids);
}

/** The parameters that identify an instance, with their values. */
export function uniqueKeysOf(router: RouterView, located: Located): StringMap {
  const def = located.node.def;
  const names = new Set(def?.table?.uniqueKeys.flat() ?? []);
  const keys = new Map<string, string>();
  for (const name of names) {
    const param = def?.params[name];
    if (param) keys.set(name, readParam(param, name, router, located.path, located.ids));
  }
  return keys;
}

/** A path to a table means all its instances. */
function locateAll(model: Model, router: RouterView, path: string): Located[] {
  return locate(model, router, path).flatMap((located) => (located.node.instance ? instancesOf(router, located) : [located]));
}

function paramsBelow(router: RouterView, located: Located, depth: number): FoundParam[] {
  const own = Object.entries(located.node.def?.params ?? {}).map(([name, param]) => ({
    path: located.path + name,
    name,
    param,
    located,
  }));
  if (depth <= 1) return own;
  return [...own, ...childrenOf(router, located).flatMap((child) => paramsBelow(router, child, depth - 1))];
}

function getOne(model: Model, router: RouterView, path: string, maxDepth: number): RequestedPathResult {
  const result: RequestedPathResult = { requestedPath: path, errCode: 0, errMsg: '', resolvedPathResults: [] };
  try {
    const byObject = new Map<string, Map<string, string>>();
    for (const found of findParams(model, router, path, maxDepth)) {
      const values = byObject.get(found.located.path) ?? new Map<string, string>();
      values.set(found.name, valueOf(router, found));
      byObject.set(found.located.path, values);
    }
    for (const [resolvedPath, resultParams] of byObject) result.resolvedPathResults.push({ resolvedPath, resultParams });
    return result;
  } catch (error) {
    return { ...result, ...asFault(error) };
  }
}

function listInstances(model: Model, router: RouterView, path: string, firstLevelOnly: boolean): InstancesResult {
  const result: InstancesResult = { requestedPath: path, errCode: 0, errMsg: '', currInsts: [] };
  try {
    const locations = locate(model, router, path);
    const found = locations.flatMap((located) => instancesBelow(router, located, firstLevelOnly));
    const currInsts = found.map((located) => ({ instantiatedObjPath: located.path, uniqueKeys: uniqueKeysOf(router, located) }));
    return { ...result, currInsts };
  } catch (error) {
    return { ...result, ...asFault(error) };
  }
}

/** The nearest instances below an object, and if `firstLevelOnly` is false those below them too. */
function instancesBelow(router: RouterView, located: Located, firstLevelOnly: boolean): Located[] {
  const near = located.node.instance ? instancesOf(router, located) : childrenOf(router, located);
  return near.flatMap((child) => {
    if (!isInstancePath(child.path)) return instancesBelow(router, child, firstLevelOnly);
    return firstLevelOnly ? [child] : [child, ...instancesBelow(router, child, false)];
  });
}

function isInstancePath(path: string): boolean {
  return /^\d+$/.test(splitPath(path).at(-1) ?? '');
}

function asFault(error: unknown): { errCode: number; errMsg: string } {
  if (error instanceof UspFault) return { errCode: error.code, errMsg: error.message };
  throw error;
}

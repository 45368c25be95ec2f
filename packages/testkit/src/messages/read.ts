import type { IndependentValue } from '../codec.ts';
import { Code, tryFor, UspFault } from '../errors.ts';
import type { DataModel } from '../model/data-model.ts';
import type { ObjectDefinition } from '../model/definition.ts';
import { isTable, resolveObjects, splitLeaf, supportedPathOf } from '../model/resolve.ts';

/** Get (TR-369 7.5.1): each path is answered or rejected separately. */
export function respondToGet(model: DataModel, { paramPaths, maxDepth }: IndependentValue): IndependentValue {
  const depth = (maxDepth as number) === 0 ? Number.POSITIVE_INFINITY : (maxDepth as number);
  const reqPathResults = (paramPaths as string[]).map((requestedPath) => {
    const found = tryFor(() =>
      requestedPath.endsWith('.') ? readBelow(model, requestedPath, depth) : readOne(model, requestedPath),
    );
    if (found instanceof UspFault) return { requestedPath, errCode: found.code, errMsg: found.message };
    return { requestedPath, resolvedPathResults: found };
  });
  return { reqPathResults };
}

function readBelow(model: DataModel, requestedPath: string, depth: number): IndependentValue[] {
  return resolveObjects(model, requestedPath).flatMap((root) =>
    model
      .objectsBelow(root)
      .filter((path) => levelsBetween(root, path) < depth)
      .map((resolvedPath) => ({ resolvedPath, resultParams: Object.fromEntries(model.parametersOf(resolvedPath)) })),
  );
}

function levelsBetween(root: string, path: string): number {
  return path.slice(root.length).split('.').length - 1;
}

function readOne(model: DataModel, requestedPath: string): IndependentValue[] {
  const [objectPath, name] = splitLeaf(requestedPath);
  const found = resolveObjects(model, objectPath);
  if (model.supported.get(supportedPathOf(objectPath))?.parameters[name] === undefined)
    throw new UspFault(Code.unsupportedParameter, `${requestedPath} is not a supported parameter`);
  return found.map((resolvedPath) => ({ resolvedPath, resultParams: { [name]: model.reading(resolvedPath + name) } }));
}

/** GetInstances (TR-369 7.5.3). */
export function respondToGetInstances(model: DataModel, { objPaths, firstLevelOnly }: IndependentValue): IndependentValue {
  const reqPathResults = (objPaths as string[]).map((requestedPath) => {
    const found = tryFor(() => instancesBelow(model, requestedPath, firstLevelOnly === true));
    if (found instanceof UspFault) return { requestedPath, errCode: found.code, errMsg: found.message };
    const currInsts = found.map((path) => ({ instantiatedObjPath: path, uniqueKeys: model.uniqueKeysOf(path) }));
    return { requestedPath, currInsts };
  });
  return { reqPathResults };
}

function instancesBelow(model: DataModel, requestedPath: string, isFirstLevel: boolean): string[] {
  const supported = supportedPathOf(requestedPath);
  return resolveObjects(model, requestedPath).flatMap((path) => {
    const direct = isTable(model, supported) ? model.instances(path) : [path];
    if (isFirstLevel) return direct;
    return direct.flatMap((instance) => model.objectsBelow(instance).filter((each) => /\.\d+\.$/u.test(each)));
  });
}

/** GetSupportedDM (TR-369 7.5.4): exactly what the agent supports. */
export function respondToGetSupportedDm(model: DataModel, request: IndependentValue): IndependentValue {
  const reqObjResults = (request['objPaths'] as string[]).map((reqObjPath) => {
    const found = tryFor(() => supportedBelow(model, reqObjPath, request));
    if (found instanceof UspFault) return { reqObjPath, errCode: found.code, errMsg: found.message };
    return { reqObjPath, dataModelInstUri: 'urn:broadband-forum-org:tr-181-2-15-0-usp', supportedObjs: found };
  });
  return { reqObjResults };
}

function supportedBelow(model: DataModel, reqObjPath: string, request: IndependentValue): IndependentValue[] {
  const root = supportedPathOf(reqObjPath);
  if (!model.supported.has(root)) throw new UspFault(Code.invalidPath, `${reqObjPath} is not in the supported data model`);
  return Array.from(model.supported)
    .filter(([path]) => path.startsWith(root))
    .flatMap(([path, definition]) => {
      const below = path.slice(root.length).replaceAll('.{i}', '').split('.').length - 1;
      if (request['firstLevelOnly'] === true && below > 1) return [];
      // Of the objects one level below, return only the names.
      const isNamedOnly = request['firstLevelOnly'] === true && below === 1;
      return [describe(path, definition, isNamedOnly ? {} : request)];
    });
}

const accessNumbers = { readOnly: 0, readWrite: 1, writeOnce: 1 } as const;
const typeNumbers = { boolean: 2, dateTime: 3, int: 6, string: 8, unsignedInt: 9 } as const;

function describe(supportedObjPath: string, definition: ObjectDefinition, request: IndependentValue): IndependentValue {
  const { parameters, commands, events, uniqueKeys, isCreatable } = definition;
  const only = <T>(flag: string, list: readonly T[]) => (request[flag] === true ? list : []);
  return {
    supportedObjPath,
    access: isCreatable ? 1 : 0,
    isMultiInstance: supportedObjPath.endsWith('{i}.'),
    supportedCommands: only('returnCommands', Object.entries(commands)).map(([commandName, { type, inputs }]) => ({
      commandName,
      inputArgNames: inputs,
      commandType: type === 'sync' ? 1 : 2,
    })),
    supportedEvents: only('returnEvents', Object.entries(events)).map(([eventName, argNames]) => ({ eventName, argNames })),
    supportedParams: only('returnParams', Object.entries(parameters)).map(([paramName, { access, type }]) => ({
      paramName,
      access: accessNumbers[access],
      valueType: typeNumbers[type],
      valueChange: 1,
    })),
    uniqueKeySets: only('returnUniqueKeySets', uniqueKeys).map((keyNames) => ({ keyNames })),
  };
}

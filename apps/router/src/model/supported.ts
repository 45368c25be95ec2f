import { UspError } from '@highline/usp';
import type { GetSupportedDmRequest, ResponseTo, SupportedDmResult, SupportedObject } from '@highline/usp';
import { type ObjectDef, type ParamDef, isWritable } from './definition.ts';
import { type Model, type Node, findNode } from './model.ts';

/** Answer GetSupportedDM (TR-369 "GetSupportedDM") from the definitions alone: it is the same for every router of a model. */
export function respondToGetSupportedDm(model: Model, request: GetSupportedDmRequest): ResponseTo<'get_supported_dm'> {
  return { type: 'get_supported_dm_resp', reqObjResults: request.objPaths.map((path) => describePath(model, path, request)) };
}

function describePath(model: Model, path: string, request: GetSupportedDmRequest): SupportedDmResult {
  const node = path.endsWith('.') ? findNode(model, path) : undefined;
  const dataModelInstUri = 'urn:broadband-forum-org:tr-181-2-19-0';
  if (!node) {
    const errMsg = `${path} is not an object of this router`;
    return { reqObjPath: path, errCode: UspError.invalidPath, errMsg, dataModelInstUri: '', supportedObjs: [] };
  }
  const supportedObjs = definitionsBelow(node, request.firstLevelOnly ? 1 : Infinity).map((def) => describeObject(def, request));
  return { reqObjPath: path, errCode: 0, errMsg: '', dataModelInstUri, supportedObjs };
}

function definitionsBelow(node: Node, levels: number): ObjectDef[] {
  // A table and its instance are one level: the definition is at the instance.
  const here = node.def ?? node.instance?.def;
  const own = here ? [here] : [];
  if (levels <= 0) return own;
  const children = [...node.children.values(), ...(node.instance?.children.values() ?? [])];
  return [...own, ...children.flatMap((child) => definitionsBelow(child, levels - 1))];
}

function describeObject(def: ObjectDef, request: GetSupportedDmRequest): SupportedObject {
  return {
    supportedObjPath: def.path,
    access: def.table?.grows ? 'OBJ_ADD_DELETE' : 'OBJ_READ_ONLY',
    isMultiInstance: def.table !== undefined,
    supportedCommands: request.returnCommands ? Object.entries(def.commands ?? {}).map(describeCommand) : [],
    supportedEvents: request.returnEvents ? Object.entries(def.events ?? {}).map(describeEvent) : [],
    supportedParams: request.returnParams ? Object.entries(def.params).map(describeParam) : [],
    divergentPaths: [],
    uniqueKeySets: request.returnUniqueKeySets ? (def.table?.uniqueKeys ?? []).map((names) => ({ keyNames: [...names] })) : [],
  };
}

function describeCommand([commandName, command]: [string, NonNullable<ObjectDef['commands']>[string]]) {
  return { commandName, inputArgNames: [...command.inputs], outputArgNames: [...command.outputs], commandType: command.kind };
}

function describeEvent([eventName, argNames]: [string, readonly string[]]) {
  return { eventName, argNames: [...argNames] };
}

function describeParam([paramName, param]: [string, ParamDef]): SupportedObject['supportedParams'][number] {
  const fluctuating = 'read' in param && param.fluctuating === true;
  return {
    paramName,
    access: isWritable(param) ? 'PARAM_READ_WRITE' : 'PARAM_READ_ONLY',
    valueType: param.type,
    valueChange: fluctuating ? 'VALUE_CHANGE_WILL_IGNORE' : 'VALUE_CHANGE_ALLOWED',
  };
}

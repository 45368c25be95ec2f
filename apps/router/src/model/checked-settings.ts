import { UspError, type ParamError, type ParamSetting, splitPath } from '@highline/usp';
import { type Ids, type ObjectDef, type RouterView, UspFault } from './definition.ts';
import { findNode, type Located, type Model } from './model.ts';
import { acceptValue } from './values.ts';

/** `values`: what is stored. `reads`: what the parameters read as. */
export type Update = {
  located: Located;
  values: { [param: string]: string };
  reads: Map<string, string>;
  paramErrs: ParamError[];
};

/** Accepted values and errors; only settings of the object itself, no paths. */
export function checkSettings(
  router: RouterView,
  { node, path, ids }: Located,
  settings: readonly ParamSetting[],
): Pick<Update, 'values' | 'reads' | 'paramErrs'> {
  const values: { [param: string]: string } = {};
  const reads = new Map<string, string>();
  const paramErrs: ParamError[] = [];
  if (!node.def) throw new UspFault(UspError.objectCouldNotBeUpdated, `${path} holds no parameters`);
  for (const { param: name, value } of settings) {
    const accepted = acceptSetting(router, node.def, { name, value }, ids);
    if ('stored' in accepted) {
      Object.assign(values, accepted.stored);
      reads.set(name, accepted.reads);
    } else paramErrs.push({ param: name, ...accepted });
  }
  return { values, reads, paramErrs };
}

function acceptSetting(
  router: RouterView,
  { params }: ObjectDef,
  { name, value }: { name: string; value: string },
  ids: Ids,
): ReturnType<typeof acceptValue> {
  const param = Object.hasOwn(params, name) ? params[name] : undefined;
  if (param !== undefined) return acceptValue(param, name, value, router, ids);
  return { errCode: UspError.unsupportedParameter, errMsg: 'not a parameter of this object' };
}

/** Validate a value of a row that may not exist yet, like one from a controller. */
export function acceptRowValue(
  model: Model,
  router: RouterView,
  path: string,
  name: string,
  value: string,
): ReturnType<typeof acceptValue> {
  const def = findNode(model, path)?.def;
  if (def === undefined) return { errCode: UspError.invalidPath, errMsg: 'not an object of this router' };
  return acceptSetting(router, def, { name, value }, splitPath(path).map(Number).filter(Number.isInteger));
}

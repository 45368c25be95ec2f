import { UspError, type ParamError, type ParamSetting } from '@highline/usp';
import { type RouterView, UspFault } from './definition.ts';
import type { Located } from './model.ts';
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
    const param = Object.hasOwn(node.def.params, name) ? node.def.params[name] : undefined;
    const accepted = param
      ? acceptValue(param, name, value, router, ids)
      : { errCode: UspError.unsupportedParameter, errMsg: 'not a parameter of this object' };
    if ('stored' in accepted) {
      Object.assign(values, accepted.stored);
      reads.set(name, accepted.reads);
    } else paramErrs.push({ param: name, ...accepted });
  }
  return { values, reads, paramErrs };
}

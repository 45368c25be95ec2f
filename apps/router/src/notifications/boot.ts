import { type RouterView, UspFault } from '../model/definition.ts';
import { type Model, instancesOf, locate } from '../model/model.ts';
import { BOOT_PARAMETERS } from '../model/objects/local-agent.ts';
import { findParams, valueOf } from '../model/read.ts';
import { readSetting } from './subscriptions.ts';

/** What Boot! carries in ParameterMap: a JSON object of the parameters that the controller asked for (TR-181 BootParameter). */
export function bootParameterMap(model: Model, router: RouterView): string {
  const rows = locate(model, router, BOOT_PARAMETERS).flatMap((table) => instancesOf(router, table));
  const wanted = rows.filter(({ path }) => readSetting(model, router, `${path}Enable`) === 'true');
  const entries = wanted.flatMap(({ path }) => read(model, router, readSetting(model, router, `${path}ParameterName`)));
  return JSON.stringify(Object.fromEntries(entries));
}

function read(model: Model, router: RouterView, name: string): [string, string][] {
  try {
    return findParams(model, router, name).map((found) => [found.path, valueOf(router, found)]);
  } catch (error) {
    if (error instanceof UspFault) return [];
    throw error;
  }
}

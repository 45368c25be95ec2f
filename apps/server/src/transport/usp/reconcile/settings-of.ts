import type { ParamSetting } from '@highline/usp';

/** A required parameter: without it the object is useless. */
export function setting(param: string, value: string): ParamSetting {
  return { param, value, required: true };
}

/** An optional parameter, which an agent may lack or reject. */
export function wish(param: string, value: string): ParamSetting {
  return { param, value, required: false };
}

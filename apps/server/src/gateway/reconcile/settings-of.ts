import type { ParamSetting } from '@highline/usp';

/** A parameter without which the object is of no use. */
export function setting(param: string, value: string): ParamSetting {
  return { param, value, required: true };
}

/** A parameter that an agent may lack or refuse. */
export function wish(param: string, value: string): ParamSetting {
  return { param, value, required: false };
}

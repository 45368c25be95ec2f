import { UspError, type ParamValueType, type UspErrorCode } from '@highline/usp';
import type { Row } from '../state/state.ts';
import { type Ids, type ParamDef, type RouterView, isWritable } from './definition.ts';

/** Why a value cannot be set. */
export type ValueFault = { errCode: UspErrorCode; errMsg: string };

const BOOLEANS = new Map([
  ['true', 'true'],
  ['1', 'true'],
  ['false', 'false'],
  ['0', 'false'],
]);

/** Validate a value from a controller and normalize it for storage ('1' → 'true'). */
export function acceptValue(
  param: ParamDef,
  name: string,
  value: string,
  router: RouterView,
  ids: Ids = [],
): { stored: Row; reads: string } | ValueFault {
  if (!('initial' in param) || !isWritable(param)) {
    return { errCode: UspError.attemptToUpdateNonWriteableParameter, errMsg: 'the parameter is read-only' };
  }
  const typed = normalize(param.type, value);
  if (typed === undefined)
    return { errCode: UspError.invalidType, errMsg: `not a value of type ${param.type.slice('PARAM_'.length)}` };
  const complaint = param.check?.(typed, router, ids);
  if (complaint !== undefined) return { errCode: UspError.invalidValue, errMsg: complaint };
  return { stored: param.stores?.(typed, router) ?? { [name]: typed }, reads: param.hidden === true ? '' : typed };
}

function normalize(type: ParamValueType, value: string): string | undefined {
  switch (type) {
    case 'PARAM_BOOLEAN':
      return BOOLEANS.get(value);
    case 'PARAM_UNSIGNED_INT':
      return /^\d{1,10}$/.test(value) && Number(value) <= 0xffffffff ? String(Number(value)) : undefined;
    case 'PARAM_INT':
      return /^-?\d{1,10}$/.test(value) && Math.abs(Number(value)) <= 0x7fffffff ? String(Number(value)) : undefined;
    case 'PARAM_DATE_TIME':
      return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)?$/.test(value) && !Number.isNaN(Date.parse(value))
        ? value
        : undefined;
    default:
      return value;
  }
}

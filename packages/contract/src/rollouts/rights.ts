import type { Right } from '../operation.ts';
import { bindConfig, bindFirmware, unbindConfig, unbindFirmware, type BindingKind } from './calls.ts';

/** Files that are bound to a group or removed from it together with its other fields (GRP-06, GRP-08). */
export const bindingRights: Readonly<Record<BindingKind, Readonly<Record<'bind' | 'unbind', Right>>>> = {
  firmware: { bind: bindFirmware, unbind: unbindFirmware },
  config: { bind: bindConfig, unbind: unbindConfig },
};

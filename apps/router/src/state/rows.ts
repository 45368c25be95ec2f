import type { RowStore } from '../model/transaction.ts';
import { ADMINISTRATOR, changeTime, PASSWORD_CHANGED, PASSWORD_IS_DEFAULT } from '../model/objects/users.ts';
import { networkSwitches, type NetworkSwitch } from '../model/network-switches.ts';
import type { RouterState } from './state.ts';
import type { StateStore } from './store.ts';

/** Rows of the data model, stored with everything else that outlives a restart. Saving throws when that cannot be written. */
export function rowStoreOf(store: StateStore): RowStore {
  return {
    rows: () => store.current().rows,
    nextInstance: () => store.current().nextInstance,
    save: (rows, nextInstance) => store.commit({ ...store.current(), rows, nextInstance }),
  };
}

/** The administrator's password was set at the router (epoch milliseconds), to its default or to one that no controller knows. */
export function afterPasswordChange(state: RouterState, at: number, isDefault: boolean): RouterState {
  const before = state.rows[ADMINISTRATOR];
  const changed = changeTime(at, before?.[PASSWORD_CHANGED]);
  const values = { Password: '', [PASSWORD_CHANGED]: changed, [PASSWORD_IS_DEFAULT]: String(isDefault) };
  return { ...state, rows: { ...state.rows, [ADMINISTRATOR]: { ...before, ...values } } };
}

/** A setting of the networks is off, or has its default again. */
export function afterNetworkSwitch(state: RouterState, setting: NetworkSwitch, isOn: boolean): RouterState {
  const rows = { ...state.rows };
  for (const [path, off] of networkSwitches[setting]) {
    const others = Object.entries(rows[path] ?? {}).filter(([name]) => !Object.hasOwn(off, name));
    rows[path] = { ...Object.fromEntries(others), ...(isOn ? {} : off) };
  }
  return { ...state, rows };
}

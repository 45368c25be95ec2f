import type { RowStore } from '../model/transaction.ts';
import { ADMINISTRATOR, PASSWORD_CHANGED, PASSWORD_IS_DEFAULT } from '../model/objects/users.ts';
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

/**
 * The administrator's password was set at the given time (epoch milliseconds), to its default or to another one. Of two changes
 * within a millisecond the second one is stored a millisecond later: without another time no subscriber would be notified of it.
 */
export function afterPasswordChange(state: RouterState, at: number, isDefault: boolean): RouterState {
  const before = state.rows[ADMINISTRATOR];
  const time = new Date(at).toISOString();
  const changed = time === before?.[PASSWORD_CHANGED] ? new Date(at + 1).toISOString() : time;
  const values = { [PASSWORD_CHANGED]: changed, [PASSWORD_IS_DEFAULT]: String(isDefault) };
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

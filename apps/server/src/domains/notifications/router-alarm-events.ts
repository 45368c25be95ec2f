import type { HappeningEvent } from './events.store.ts';

export interface Report {
  readonly routerId: string;
  readonly alarm: string;
  readonly state: string;
}

/** TR-181's value for an unknown time: the password was never changed. */
const UNKNOWN_TIME = /^0001-01-01T/u;

export const ON = 'on';

export const PASSWORD = 'password-changed';

export const RESET = 'reset';

/** The state of an event on the timeline of its device. */
export function stateOf(event: HappeningEvent): 'raised' | 'cleared' | 'happened' {
  if (event.endsWith('_CLEAR')) return 'cleared';
  return event === 'BATTERY_LOW' || event === 'THERMAL_5G_PROTECT' ? 'raised' : 'happened';
}

/** The event of a report, compared with the stored state; undefined if it leads to no notification. */
export function eventOf({ alarm, state }: Report, before: string | undefined): HappeningEvent | undefined {
  switch (alarm) {
    case 'battery-low':
      return state === ON ? 'BATTERY_LOW' : 'BATTERY_LOW_CLEAR';
    case 'thermal-protection':
      return state === ON ? 'THERMAL_5G_PROTECT' : 'THERMAL_5G_PROTECT_CLEAR';
    case PASSWORD:
      // The first report of a router is not a change, and neither is the value after a reset.
      return before === undefined || UNKNOWN_TIME.test(state) ? undefined : 'DEVICE_ADMIN_CHANGE_PASSWORD';
    default:
      return state.startsWith(RESET) ? 'DEVICE_FACTORY_RESET' : undefined;
  }
}

import type { rollouts } from '@highline/contract';
import { isWithin, nextStart } from '../../kernel/hours.ts';

/** What is known of a vehicle that a window may need. */
export interface WindowFacts {
  /** IANA zone of the place where it is; null = no position. */
  readonly zone: string | null;
  /** Its ignition has been off for the minutes of the window; null = its router does not report it. */
  readonly isOff: boolean | null;
  /** It has stood still for the minutes of the window; null = no position, or none that says where it is now. */
  readonly isStill: boolean | null;
  /** Ids of geofences of the window that it is inside of. */
  readonly inside: readonly string[];
  /** A geofence of the window still exists. */
  readonly hasGeofence: boolean;
  /** Volts, within the last hour. */
  readonly voltage: number | null;
  /** RSRP in dBm, within the last hour. */
  readonly signal: number | null;
  /** What carries its traffic; null = not known. */
  readonly uplink: string | null;
}

/** What a vehicle waits for, and when to look again; `until` undefined = no time is known, so look again soon. */
export interface WindowClosed {
  readonly waits: rollouts.WindowWait;
  readonly until?: Date;
}

/** Whether a vehicle may be worked on now: undefined = it may (WIN-02). Hours come first: outside of them nothing else matters. */
export function closedWindow(window: rollouts.UpdateWindow, facts: WindowFacts, now: Date): WindowClosed | undefined {
  const begins = nextHours(window, facts.zone, now);
  if (begins !== undefined) return { waits: 'hours', until: begins };
  const waits = vehicleWait(window, facts) ?? placeWait(window, facts) ?? readingWait(window, facts);
  return waits === undefined ? undefined : { waits };
}

/** When the hours of a window begin next in the zone of a vehicle; undefined = they hold now, or there are none. */
export function nextHours(window: rollouts.UpdateWindow, zone: string | null, now: Date): Date | undefined {
  if (window.hours === undefined) return undefined;
  const all = window.hours.map((hours) => ({ ...hours, zone: (window.local === true ? zone : null) ?? window.zone }));
  if (all.some((hours) => isWithin(hours, now))) return undefined;
  return new Date(Math.min(...all.map((hours) => nextStart(hours, now).getTime())));
}

function vehicleWait(
  { ignitionOffMinutes, uplinks }: rollouts.UpdateWindow,
  { isOff, uplink }: WindowFacts,
): rollouts.WindowWait | undefined {
  if (ignitionOffMinutes !== undefined && isOff !== true) return isOff === null ? 'no-ignition' : 'ignition';
  if (uplinks === undefined || uplinks.some((kind) => kind === uplink)) return undefined;
  return uplink === null ? 'no-uplink' : 'uplink';
}

function placeWait(
  { stillMinutes, geofences = [] }: rollouts.UpdateWindow,
  { isStill, inside, hasGeofence }: WindowFacts,
): rollouts.WindowWait | undefined {
  if ((stillMinutes !== undefined || geofences.length > 0) && isStill === null) return 'no-position';
  if (stillMinutes !== undefined && isStill === false) return 'moving';
  if (geofences.length === 0 || geofences.some((id) => inside.includes(id))) return undefined;
  return hasGeofence ? 'geofence' : 'no-geofence';
}

function readingWait(
  { minVoltage, minSignal }: rollouts.UpdateWindow,
  { voltage, signal }: WindowFacts,
): rollouts.WindowWait | undefined {
  if (minVoltage !== undefined && voltage === null) return 'no-voltage';
  if (minVoltage !== undefined && voltage! < minVoltage) return 'voltage';
  if (minSignal !== undefined && signal === null) return 'no-signal';
  return minSignal !== undefined && signal! < minSignal ? 'signal' : undefined;
}

import type { devices, Presence, PresenceReason } from '@highline/contract';
import type { Contact } from '../../ports/contacts.ts';
import type { EsimReport, OtaSupport } from '../../ports/device-link.ts';

/** How a router is connected, since when and why. */
export interface PresenceState {
  readonly presence: Presence;
  readonly since: Date;
  readonly reason: PresenceReason;
  /** Its last contact; null = no newer one is known. */
  readonly contact: Contact | null;
}

/**
 * What a router told of itself, under the columns of `devices` that show it (DEV-09). A field that is missing was not told this
 * time and stays as it is; null = the router has no such value.
 */
export interface ReportedPatch {
  readonly model?: string | null;
  readonly hardware_version?: string | null;
  readonly firmware?: string | null;
  readonly config?: string | null;
  readonly config_version?: string | null;
  /** ISO 8601, by our clock. */
  readonly booted_at?: string | null;
  readonly carrier?: string | null;
  readonly technology?: string | null;
  readonly imei?: string | null;
  readonly imsi?: string | null;
  readonly iccid?: string | null;
  readonly mtn?: string | null;
  readonly eid?: string | null;
  /** dBm. Part of the last contact, not of what is stored as reported. */
  readonly rssi?: number | null;
  // The rest is no column of `devices`: rollouts and eSIMs read it from the router's own row.
  /** ISO 8601, by our clock: when its last Boot! came. */
  readonly boot_heard_at?: string;
  /** What its data model lets us do. */
  readonly ota?: OtaSupport;
  /** Whether its data model has commands for eSIM profiles. */
  readonly esim_support?: boolean;
  /** Its eUICC and the profiles there; null = it has none. */
  readonly esim?: EsimReport | null;
  /** Path of the FirmwareImage that does not run, and its Status; null = there is none. */
  readonly idle_slot?: string | null;
  readonly idle_status?: string | null;
  /** Path of the VendorConfigFile to restore into. */
  readonly config_slot?: string | null;
  /** How far its set-up came. `count` is of the faults: so that fewer of them are not taken for a part of what stood before. */
  readonly set_up?: { readonly polled: boolean; readonly count: number; readonly faults: readonly devices.SetUpFault[] };
  /** It has our subscriptions and keeps them over a restart: without them it was reset. */
  readonly subscribed?: boolean;
  /** Names of the fields above whose check digits or form are wrong: kept as told, only flagged. */
  readonly invalid?: readonly string[];
}

export type ConnectivityKind = 'online' | 'offline' | 'boot' | 'cloned';

/** One line of a router's connection history. */
export interface ConnectivityEvent {
  readonly routerId: string;
  readonly at: Date;
  readonly kind: ConnectivityKind;
  readonly reason: string;
}

/** Somebody who waits until a change is committed. */
export interface Waiter {
  resolve(): void;
  reject(error: Error): void;
}

/** Everything that is to be written about one router. */
export interface RouterChange {
  readonly routerId: string;
  readonly state?: PresenceState | undefined;
  readonly reported?: ReportedPatch | undefined;
  /** Milliseconds the router's clock is ahead of ours. */
  readonly clockSkewMs?: number | undefined;
  readonly events: readonly ConnectivityEvent[];
  readonly waiters: readonly Waiter[];
}

/** Two changes of one router as one: the later state counts, fields told later replace those told earlier, no event is lost. */
export function mergeChanges(earlier: RouterChange | undefined, later: RouterChange): RouterChange {
  if (earlier === undefined) return later;
  const reported = { ...earlier.reported, ...later.reported };
  return {
    routerId: later.routerId,
    state: later.state ?? earlier.state,
    reported: Object.keys(reported).length > 0 ? reported : undefined,
    clockSkewMs: later.clockSkewMs ?? earlier.clockSkewMs,
    events: [...earlier.events, ...later.events].slice(-MAX_EVENTS),
    waiters: [...earlier.waiters, ...later.waiters],
  };
}

/** While the database is away a router's history keeps its newest lines; its state is never lost. */
const MAX_EVENTS = 50;

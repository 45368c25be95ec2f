import type { devices, Presence, PresenceReason } from '@highline/contract';
import type { Contact } from '../../../platform/ports/contacts.ts';
import type { EsimReport, OfferedOperation, OtaSupport } from '../../../platform/ports/index.ts';
import type { FactKey } from '../facts.ts';

/** The connection state of a router, its start and reason. */
export interface PresenceState {
  readonly presence: Presence;
  readonly since: Date;
  readonly reason: PresenceReason;
  /** Its last contact; null = no newer one is known. */
  readonly contact: Contact | null;
  /** The number of the socket that this is about, in the order of all sockets (`connectionEpoch` of its admission). */
  readonly epoch: number;
}

type ReportedFacts = { readonly [Key in FactKey]?: string | null };

/**
 * Values that a router reported about itself, by the columns of `devices` that show them (DEV-09). A missing field was not
 * reported this time and keeps its value; null = the router has no such value.
 */
export interface ReportedPatch extends ReportedFacts {
  /** dBm. Part of the last contact, not of what is stored as reported. */
  readonly rssi?: number | null;
  // The rest has no column in `devices`: rollouts, eSIMs and commands read it from the router's own row.
  /** ISO 8601, by our clock: when its last Boot! came. */
  readonly boot_heard_at?: string;
  readonly boot_message?: BootMessage;
  /** ISO 8601, by our clock: when it was last seen that it had been reset to factory state. */
  readonly reset_seen_at?: string;
  /** The operations that its data model supports. */
  readonly ota?: OtaSupport;
  /** Every operation that its data model has. */
  readonly offers?: readonly OfferedOperation[];
  /** Whether its data model has commands for eSIM profiles. */
  readonly esim_support?: boolean;
  readonly primary?: PrimaryReport;
  /** Its eUICC and the profiles there; null = it has none. */
  readonly esim?: EsimReport | null;
  /** Path of the FirmwareImage that does not run, and its Status; null = there is none. */
  readonly idle_slot?: string | null;
  readonly idle_status?: string | null;
  /** Path of the VendorConfigFile to restore into. */
  readonly config_slot?: string | null;
  /** The progress of its set-up. */
  readonly set_up?: SetUpReport;
  /** It has our subscriptions and keeps them over a restart: without them it was reset. */
  readonly subscribed?: boolean;
  /** Names of the fields above with invalid check digits or form: stored as reported, only flagged. */
  readonly invalid?: readonly string[];
}

/** What a Boot! says. */
export interface BootReport {
  readonly cause: string;
  /** It was reset to factory state. */
  readonly isReset: boolean;
  /** Of the message, which is identical at every repetition. */
  readonly hash: string;
}

/** A Boot! as it came, and the process that stored it. */
export interface BootMessage {
  /** Identical at every repetition. */
  readonly hash: string;
  readonly node: string;
}

/** The modem and the SIM in use, and the SIM of each modem: what is reported is read by them. `count` is the number of modems. */
interface PrimaryReport {
  readonly modem: number;
  readonly sim: number;
  readonly count: number;
  readonly sims: Readonly<Record<number, number>>;
}

/** `count` is the number of faults, so that a shorter list is not mistaken for a partial one. */
export interface SetUpReport {
  readonly polled: boolean;
  /** It was polled without ever getting a value. */
  readonly unread?: boolean;
  readonly count: number;
  readonly faults: readonly devices.SetUpFault[];
}

export type ConnectivityKind = 'online' | 'offline' | 'boot' | 'cloned';

/** One line of a router's connection history. */
export interface ConnectivityEvent {
  readonly routerId: string;
  readonly at: Date;
  readonly kind: ConnectivityKind;
  readonly reason: string;
  /** Of a line of kind `boot`. */
  readonly message?: BootMessage;
  /** The connection is not new: the line is written only if the stored state denies it. */
  readonly isRestated?: boolean;
}

/** A caller that waits until a change is committed. */
export interface Waiter {
  resolve(): void;
  reject(error: Error): void;
}

/** All pending writes for one router. */
export interface RouterChange {
  readonly routerId: string;
  readonly state?: PresenceState | undefined;
  readonly reported?: ReportedPatch | undefined;
  /** Milliseconds the router's clock is ahead of ours. */
  readonly clockSkewMs?: number | undefined;
  readonly events: readonly ConnectivityEvent[];
  readonly waiters: readonly Waiter[];
}

/** Merge two changes of one router: the later state counts, later fields replace earlier ones, no event is lost. */
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

/** While the database is down a router's history keeps its newest lines; its state is never lost. */
const MAX_EVENTS = 50;

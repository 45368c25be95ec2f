import type { positions } from '@highline/contract';

/** A day of a vehicle against the others of its organization in the same places (POS-06). */
export interface ComparedDay {
  /** ISO day of UTC. */
  readonly day: string;
  /** Sum of the differences of its reports to the median of the others, dB. */
  readonly difference: number;
  readonly samples: number;
  readonly cells: number;
}

/** The hexagon where a device lost most connections. */
export interface WorstPlace {
  /** Degrees. */
  readonly latitude: number;
  readonly longitude: number;
  /** Of the device in 24 hours, and of others there in a week. */
  readonly losses: number;
  readonly others: number;
}

/**
 * What the diagnosis of a device is made from, all of it stored: of the 24 hours before now, and of the time in which the device of this
 * organization had its routers. Null = not measured, or nothing of the kind.
 */
export interface DeviceFacts {
  /** The least mean of an hour, V, and the hours below the limit. */
  readonly volts: number | null;
  readonly lowHours: number;
  /** The greatest mean of an hour, °C. */
  readonly celsius: number | null;
  /** Mean, dBm. */
  readonly rsrp: number | null;
  /** Hours with a signal, if no byte passed in any of them; else 0. */
  readonly idleHours: number;
  /** Connections that were lost without a restart and without a good part of the fleet; in so many different hours; within the last half hour. */
  readonly losses: number;
  readonly lossHours: number;
  readonly lossesNow: number;
  /** Starts without an order, and the most of them within an hour. */
  readonly restarts: number;
  readonly restartsInHour: number;
  /** How far its clock is ahead of ours. */
  readonly clockSkewMs: number | null;
  readonly identity: { readonly reason: 'identity-shared' | 'serial-mismatch'; readonly at: Date } | null;
  /** Rejected positions after which none was stored. */
  readonly positionFault: {
    readonly reason: positions.PositionRejection;
    readonly count: number;
    readonly since: Date;
    readonly at: Date;
  } | null;
  /** When an eSIM profile failed, or found no memory. */
  readonly failedProfile: Date | null;
  readonly outOfMemory: Date | null;
  /** The router reported a SIM before, and reports none now. */
  readonly isSimMissing: boolean;
  readonly compared: readonly ComparedDay[];
  readonly worstPlace: WorstPlace | null;
}

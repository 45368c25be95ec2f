import type { Euicc } from './euicc.ts';
import type { Flash } from './flash.ts';

/**
 * What the agent needs from the hardware. A driver for a real router fills the same interface; the simulator's is `simulated.ts`.
 * Readings are asked for, never pushed: an idle router does nothing.
 */
export type Platform = {
  readonly clock: Clock;
  readonly modem: Modem;
  readonly sensors: Sensors;
  readonly power: Power;
  readonly flash: Flash;
  /** Absent: the SIM is a card without profiles. */
  readonly euicc?: Euicc | undefined;
  readonly shell: ShellChoice;
  /** Absent: nothing on the case can blink. */
  readonly lamps?: Lamps | undefined;
};

/** What somebody gets who signs in over SSH: the agent's own small command line, or a program of the machine with its arguments. */
export type ShellChoice = { kind: 'own' } | { kind: 'program'; program: readonly string[] };

/** The router's own clock, which may be wrong: the cloud computes the skew from what it reports. */
export type Clock = {
  /** Epoch milliseconds, as the router believes. */
  now(): number;
};

export type Modem = {
  /** What the modem and its SIM are; with the profile in use the SIM becomes another. */
  identity(): ModemIdentity;
  signal(): Signal;
  /** Whether the network carries data over this access point; '' = the one that the network chooses. */
  carriesData(apn: string): boolean;
  /** Bytes since the modem started. */
  traffic(): { bytesSent: number; bytesReceived: number };
};

export type ModemIdentity = {
  imei: string;
  imsi: string;
  iccid: string;
  msisdn: string;
  eid: string;
  carrier: string;
  apn: string;
};

/** dBm for RSSI and RSRP, dB for RSRQ, as TR-181 Cellular.Interface reports them. */
export type Signal = { registered: boolean; technology: 'LTE' | 'NR'; rssi: number; rsrp: number; rsrq: number };

export type Sensors = {
  /** Degrees Celsius of the main board. */
  temperature(): number;
  /** Supply voltage in millivolts. */
  supplyMillivolts(): number;
  position(): Position;
  /** Is the vehicle switched on? */
  ignition(): boolean;
  /** Charge of the vehicle's battery in percent. */
  batteryPercent(): number;
};

/** Degrees (WGS 84), km/h, degrees from north. */
export type Position = { latitude: number; longitude: number; speed: number; heading: number; satellites: number };

/** The lamps on the case. */
export type Lamps = {
  /** Blink for so many seconds, then show again what they usually do. */
  blink(seconds: number): void;
  areBlinking(): boolean;
};

export type Power = {
  /** Called when the router starts: counters that live in the hardware begin anew. */
  started(): void;
};

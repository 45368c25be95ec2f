import type { Duplex } from 'node:stream';
import type { Euicc } from './euicc.ts';
import type { Fix } from './drive.ts';
import type { Flash } from './flash.ts';

/**
 * The hardware interface of the agent. A driver for a real router implements the same interface; the simulator's is
 * `simulated.ts`. Readings are pulled, never pushed: an idle router does nothing.
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
  /** Absent: the case has no lamps. */
  readonly lamps?: Lamps | undefined;
  /** Absent: it has no network besides the modem's. */
  readonly networks?: Networks | undefined;
};

/** The shell for SSH sign-ins: the agent's own small command line, or a program of the machine with its arguments. */
export type ShellChoice = { kind: 'own' } | { kind: 'program'; program: readonly string[] };

/** The router's own clock, which may be wrong: the cloud computes the skew from what it reports. */
export type Clock = {
  /** Epoch milliseconds by the router's clock. */
  now(): number;
};

export type Modem = {
  /** Numbers of the modem and its SIM; the SIM's change with the current profile. */
  identity(): ModemIdentity;
  signal(): Signal;
  /** Whether the network carries data over this APN; '' = chosen by the network. */
  carriesData(apn: string): boolean;
  /** Bytes since the modem started. */
  traffic(): { bytesSent: number; bytesReceived: number };
  /** A modem without traffic of its own counts what a speed test transferred. */
  count?(sent: number, received: number): void;
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

/** dBm for RSSI and RSRP, dB for RSRQ, as TR-181 Cellular.Interface reports them, and dB for SINR. */
export type Signal = {
  registered: boolean;
  technology: 'LTE' | 'NR';
  /** Identity of the serving cell: 28 bits in LTE, 36 bits in NR. */
  cellId: number;
  rssi: number;
  rsrp: number;
  rsrq: number;
  sinr: number;
};

export type Sensors = {
  /** Degrees Celsius of the main board. */
  temperature(): number;
  /** Supply voltage in millivolts. */
  supplyMillivolts(): number;
  position(): Position;
  /** The newest fix of the receiver; undefined = it never had one. */
  lastFix(): Fix | undefined;
  /** Recorded fixes after this time (epoch milliseconds, true time), oldest first. */
  fixesSince(time: number): readonly Fix[];
  /** Whether the vehicle is switched on. */
  ignition(): boolean;
  /** Charge of the vehicle's battery in percent. */
  batteryPercent(): number;
};

/** Degrees (WGS 84), km/h, degrees from north. */
export type Position = { latitude: number; longitude: number; speed: number; heading: number; satellites: number };

/** What is plugged in or comes near, and whether it works; what is switched on is a setting of the agent. */
export type Networks = {
  /** What is plugged into the WAN port; undefined = nothing. */
  wan(): WanLink | undefined;
  /** Whether data passes the modem, while it may be registered. */
  modemPasses(): boolean;
  radioWorks(): boolean;
  nameServerResponds(): boolean;
  /** Devices within reach, in a fixed order. */
  hosts(): readonly LanHost[];
  /** The router's own address in the vehicle's network, with its mask. */
  lan(): LanAddress;
  /** Address of this machine on which forwarded ports listen; undefined = none does. */
  readonly forwardsOn?: string | undefined;
  /** Connect to a device of the vehicle's network. @throws Error when it does not accept, or the signal aborts */
  dial(address: string, port: number, signal: AbortSignal): Promise<Duplex>;
};

/** Both as dotted decimals. */
export type LanAddress = { address: string; mask: string };

export type WanLink = {
  kind: 'satellite' | 'ethernet';
  isUp: boolean;
  address: string;
  bytesSent: number;
  bytesReceived: number;
};

/** A device that uses the vehicle's network. `radio` 0 = it is plugged in. */
export type LanHost = {
  mac: string;
  name: string;
  address: string;
  ipv6: string;
  radio: 0 | 1 | 2;
  /** dBm; 0 when it is plugged in. */
  signal: number;
  /** Epoch milliseconds. */
  since: number;
  /** Bytes since then, as the router counts them: sent to the host, received from it. */
  bytesSent: number;
  bytesReceived: number;
};

/** The lamps on the case. */
export type Lamps = {
  /** Blink for this many seconds, then resume normal display. */
  blink(seconds: number): void;
  areBlinking(): boolean;
};

export type Power = {
  /** Called when the router starts: resets hardware counters. */
  started(): void;
};

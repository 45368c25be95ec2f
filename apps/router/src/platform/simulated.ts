import { cityRoute, type CityRoute } from './city-routes.ts';
import type { ChipMemory } from '../state/state.ts';
import type { Euicc } from './euicc.ts';
import { createMemoryFlash, type Flash } from './flash.ts';
import { createMachineLan } from './machine-lan.ts';
import type { ModemIdentity, Platform, ShellChoice, Signal } from './platform.ts';
import { fixesSince, isDriving, lastFix, placeAt, type Drive } from './drive.ts';
import { hashToUnit, drift } from './random.ts';
import { makeRoute } from './route.ts';
import type { Scheduler } from './scheduler.ts';
import { createSimulatedNetworks, type wanKinds } from './simulated-networks.ts';
import { createSimulatedEuicc, type SimulatedEuiccOptions } from './simulated-euicc.ts';

export type SimulatedPlatformOptions = {
  /** All behaviour is derived from it and from the time. */
  seed: number;
  scheduler: Scheduler;
  modem: ModemIdentity;
  /** How far the router's clock is ahead of true time, in milliseconds. */
  clockSkewMs?: number;
  /** Memory and speed of the eUICC; by default its memory is lost with the process. A SIM without EID has none. */
  euicc?: Pick<SimulatedEuiccOptions, 'memory' | 'downloadMs'>;
  /** Target of downloads; default: memory. */
  flash?: Flash;
  /** Default: the agent's own command line. */
  shell?: ShellChoice;
  /** Start of its route: [latitude, longitude] in degrees. Default: one of a few cities, chosen by the seed. */
  home?: readonly [number, number];
  /** The way it drives instead. */
  route?: CityRoute;
  /** Its ignition is off while it rests; by default the engine runs at each stop. */
  parks?: boolean;
  /** It has no satellite receiver, or one without an antenna. */
  gnssOff?: boolean;
  /** What is plugged into its WAN port; default: nothing. */
  wan?: (typeof wanKinds)[number];
  /** Interface of this machine that is its vehicle's network; default: a simulated one. */
  lan?: string;
  /** Address of this machine on which forwarded ports listen; default: they do not. */
  forwardsOn?: string;
  /** How often the newest fix changes while the vehicle drives; trails are recorded at least every 10 s. Default: 30. */
  fixSeconds?: number;
};

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const RECORD_MS = 10_000;
/** Default of `fixSeconds`. */
const FIX_SECONDS = 30;

/**
 * A plausible router in a vehicle that drives and stops. Signal, temperature and voltage vary, data grows, the position follows a
 * route. Every reading is a function of (seed, time): an idle router holds no state but its start time.
 */
export function createSimulatedPlatform(options: SimulatedPlatformOptions): Platform {
  const { seed, scheduler, modem } = options;
  const skew = options.clockSkewMs ?? 0;
  const startNow = () => ({ date: scheduler.now(), elapsed: scheduler.elapsed() });
  let start = startNow();
  const uptimeMs = () => scheduler.elapsed() - start.elapsed;
  let tested = { sent: 0, received: 0 };
  let blinksUntil = 0;
  let drive: Drive | undefined;
  const driven = () =>
    (drive ??= { route: options.route === undefined ? makeRoute(seed, options.home) : cityRoute(options.route), seed });
  const fixMs = (options.fixSeconds ?? FIX_SECONDS) * 1_000;
  const euicc =
    modem.eid === '' ? undefined : createSimulatedEuicc({ ...(options.euicc ?? forgetful()), factory: modem, scheduler });
  const driving = () => isDriving(driven(), scheduler.now());
  return {
    clock: { now: () => scheduler.now() + skew },
    modem: {
      identity: () => ({ ...modem, ...simInUse(euicc) }),
      signal() {
        const { carrier } = { ...modem, ...simInUse(euicc) };
        const { technology, ...signal } = signalAt(seed, scheduler.now());
        const cellId = cellAt(placeAt(driven(), scheduler.now()), carrier, technology);
        return { ...signal, technology, cellId, registered: euicc?.connects() ?? true };
      },
      // As with profile codes: an APN with this prefix is unknown to every network.
      carriesData: (apn) => !apn.toLowerCase().startsWith('noconn'),
      traffic() {
        const { bytesSent, bytesReceived } = trafficAfter(seed, uptimeMs());
        return { bytesSent: bytesSent + tested.sent, bytesReceived: bytesReceived + tested.received };
      },
      count: (sent, received) => void (tested = { sent: tested.sent + sent, received: tested.received + received }),
    },
    sensors: {
      temperature: () => temperatureAt(seed, scheduler.now(), driving()),
      supplyMillivolts: () => voltageAt(seed, scheduler.now(), driving()),
      position() {
        const now = scheduler.now();
        if (options.gnssOff === true) return { latitude: 0, longitude: 0, accuracy: 0, speed: 0, heading: 0, satellites: 0 };
        return { ...placeAt(driven(), now), satellites: 7 + Math.floor(6 * drift(seed + 62, now, 10 * MINUTE)) };
      },
      lastFix: () => (options.gnssOff === true ? undefined : lastFix(driven(), scheduler.now(), fixMs)),
      fixesSince: (time) =>
        options.gnssOff === true ? [] : fixesSince(driven(), time, scheduler.now(), Math.min(fixMs, RECORD_MS)),
      ignition: () => options.parks !== true || driving(),
      batteryPercent: () => Math.round(72 + 28 * drift(seed + 40, scheduler.now(), 6 * HOUR)),
    },
    power: {
      started() {
        start = startNow();
        tested = { sent: 0, received: 0 };
      },
    },
    flash: options.flash ?? createMemoryFlash(),
    euicc,
    shell: options.shell ?? { kind: 'own' },
    networks: {
      ...createSimulatedNetworks(seed, () => scheduler.now(), { startedAt: () => start.date, uptimeMs }, options.wan),
      ...(options.forwardsOn === undefined ? {} : { forwardsOn: options.forwardsOn }),
      ...(options.lan === undefined ? {} : createMachineLan(options.lan, () => scheduler.now())),
    },
    lamps: {
      blink(seconds) {
        blinksUntil = scheduler.elapsed() + seconds * 1_000;
      },
      areBlinking: () => scheduler.elapsed() < blinksUntil,
    },
  };
}

/** Identity of the SIM with its current profile. */
function simInUse(euicc: Euicc | undefined): Partial<ModemIdentity> {
  const found = euicc?.profiles().find(({ inUse }) => inUse);
  if (found === undefined) return {};
  const { iccid, imsi, msisdn, carrier } = found;
  return { iccid, imsi, msisdn, carrier };
}

function forgetful(): Pick<SimulatedEuiccOptions, 'memory' | 'downloadMs'> {
  let kept: ChipMemory = { enabled: '', profiles: [] };
  const write = (next: ChipMemory) => {
    kept = next;
  };
  return { memory: { read: () => kept, write }, downloadMs: 0 };
}

function signalAt(seed: number, now: number): Omit<Signal, 'registered' | 'cellId'> {
  const quality = drift(seed + 10, now, 20 * MINUTE);
  const rsrp = Math.round(-118 + 40 * quality);
  const technology = hashToUnit(seed, 11) + 0.4 * quality > 0.9 ? 'NR' : 'LTE';
  return {
    technology,
    rsrp,
    rssi: rsrp + 24 + Math.round(4 * drift(seed + 12, now, 5 * MINUTE)),
    rsrq: Math.round(-19 + 14 * quality),
    sinr: Math.round(-4 + 28 * quality),
  };
}

/** Base stations in a degree: one every 3 km. */
const STATIONS = { north: 37, east: 28 } as const;

/**
 * Base station of a carrier and one of its three sectors, the same for every vehicle at a place. The demo of the server has the same rule
 * for what vehicles reported before its first start.
 */
export function cellAt(
  place: { latitude: number; longitude: number },
  carrier: string,
  technology: Signal['technology'],
): number {
  const [north, east] = [place.latitude * STATIONS.north, place.longitude * STATIONS.east];
  const sector = Math.floor((north - Math.floor(north)) * 3);
  const ofCarrier = Buffer.from(carrier).reduce((sum, byte) => sum + byte, 0) % 80;
  const station = (Math.floor(north) & 1_023) * 1_024 + (Math.floor(east) & 1_023);
  const cell = station * 256 + ofCarrier * 3 + sector;
  // 28 bits in LTE, 36 in NR.
  return technology === 'NR' ? cell * 256 : cell;
}

function temperatureAt(seed: number, now: number, driving: boolean): number {
  const dayWave = Math.sin(((now % (24 * HOUR)) / (24 * HOUR) - 0.35) * 2 * Math.PI);
  const warmth = driving ? 6 : 0;
  return Math.round((38 + 7 * dayWave + warmth + 8 * drift(seed + 20, now, 2 * HOUR)) * 10) / 10;
}

function voltageAt(seed: number, now: number, driving: boolean): number {
  // The alternator keeps 13.8 to 14.4 V; a resting battery has 12.2 to 12.8 V.
  const floor = driving ? 13_800 : 12_200;
  return Math.round(floor + 600 * drift(seed + 30, now, 8 * MINUTE));
}

/** Strictly growing: a steady rate of the router, with a slow variation that never decreases. */
function trafficAfter(seed: number, uptimeMs: number): { bytesSent: number; bytesReceived: number } {
  const seconds = Math.max(0, uptimeMs) / 1000;
  const swell = seconds + 400 * (1 - Math.cos(seconds / 600));
  const down = 4_000 + 60_000 * hashToUnit(seed, 50);
  const up = down * (0.08 + 0.2 * hashToUnit(seed, 51));
  return { bytesSent: Math.floor(up * swell), bytesReceived: Math.floor(down * swell) };
}

import type { Networks, Platform } from './platform.ts';

/** Limits of an alarm: it is raised at one and cleared at another, so that a value near either does not make it flicker. */
type Limits = { comes: (value: number) => boolean; clears: (value: number) => boolean };

/** Percent of charge. */
const BATTERY: Limits = { comes: (percent) => percent <= 20, clears: (percent) => percent >= 30 };
/** Degrees Celsius: at this temperature the modem disables 5G to protect itself. */
const HEAT: Limits = { comes: (degrees) => degrees >= 85, clears: (degrees) => degrees <= 75 };

/** Alarms of a router while it is switched on. */
export type Alarms = { batteryIsLow(): boolean; modemIsProtected(): boolean };

/** Evaluate the sensors at each check; between the two limits the last state is kept. */
export function createAlarms({ sensors }: Pick<Platform, 'sensors'>): Alarms {
  return {
    batteryIsLow: watch(() => sensors.batteryPercent(), BATTERY),
    modemIsProtected: watch(() => sensors.temperature(), HEAT),
  };
}

function watch(read: () => number, { comes, clears }: Limits): () => boolean {
  let isOn = false;
  return () => {
    const value = read();
    isOn = isOn ? !clears(value) : comes(value);
    return isOn;
  };
}

/** Readings that replace the true ones. */
export type PlatformOverrides = {
  batteryPercent?: number | undefined;
  temperature?: number | undefined;
  /** The engine is off, whatever the vehicle does. */
  isParked?: boolean;
  /** Profiles that no network accepts, by ICCID. */
  unregistered?: { has(iccid: string): boolean };
  /** Parts of the networks that do not work. */
  broken?: ReadonlySet<NetworkPart>;
};

export const networkParts = ['radio', 'wan', 'modem-data', 'name-server'] as const;
export type NetworkPart = (typeof networkParts)[number];

/** The same platform with overridden sensors and modem. */
export function withOverrides(platform: Platform, overrides: Readonly<PlatformOverrides>): Platform {
  const { sensors, modem, networks } = platform;
  const signal = () => {
    const read = modem.signal();
    return overrides.unregistered?.has(modem.identity().iccid) ? { ...read, registered: false } : read;
  };
  return {
    ...platform,
    modem: { ...modem, signal },
    sensors: {
      ...sensors,
      batteryPercent: () => overrides.batteryPercent ?? sensors.batteryPercent(),
      temperature: () => overrides.temperature ?? sensors.temperature(),
      ignition: () => overrides.isParked !== true && sensors.ignition(),
    },
    networks: networks && withBrokenParts(networks, (part) => overrides.broken?.has(part) === true),
  };
}

function withBrokenParts(networks: Networks, isBroken: (part: NetworkPart) => boolean): Networks {
  return {
    wan() {
      const link = networks.wan();
      return link && { ...link, isUp: link.isUp && !isBroken('wan') };
    },
    modemPasses: () => networks.modemPasses() && !isBroken('modem-data'),
    radioWorks: () => networks.radioWorks() && !isBroken('radio'),
    nameServerResponds: () => networks.nameServerResponds() && !isBroken('name-server'),
    hosts: () => networks.hosts(),
    lan: () => networks.lan(),
    forwardsOn: networks.forwardsOn,
    dial: (address, port, signal) => networks.dial(address, port, signal),
  };
}

import type { Platform } from './platform.ts';

/** Limits of an alarm: it comes at one and clears at another, so that a value that wavers around either does not make it flicker. */
type Limits = { comes: (value: number) => boolean; clears: (value: number) => boolean };

/** Percent of charge. */
const BATTERY: Limits = { comes: (percent) => percent <= 20, clears: (percent) => percent >= 30 };
/** Degrees Celsius: so hot the modem gives up 5G to protect itself. */
const HEAT: Limits = { comes: (degrees) => degrees >= 85, clears: (degrees) => degrees <= 75 };

/** What a router warns of, as long as it is switched on. */
export type Alarms = { batteryIsLow(): boolean; modemIsProtected(): boolean };

/** Watches the sensors at each look; between the two limits what was seen last stands. */
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

/** Readings that somebody wants to see instead of the true ones. */
export type PlatformOverrides = {
  batteryPercent?: number | undefined;
  temperature?: number | undefined;
  /** Profiles that no network takes, by ICCID. */
  unregistered?: { has(iccid: string): boolean };
};

/** The same platform, whose sensors and modem show what is pretended. */
export function withOverrides(platform: Platform, overrides: Readonly<PlatformOverrides>): Platform {
  const { sensors, modem } = platform;
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
    },
  };
}

import { compareNames, type DiagnosisKind, signalQuality, type alerts, type positions } from '@highline/contract';

/** A vehicle on the map. */
export interface Vehicle {
  readonly device: string;
  readonly name: string;
  readonly latitude: number;
  readonly longitude: number;
  /** Time of the position, epoch seconds. */
  readonly at: number;
  readonly presence: positions.MapPresence;
  /** RSSI, dBm. */
  readonly rssi: number | null;
  /** Km/h. */
  readonly speed: number | null;
  /** Degrees from north. */
  readonly heading: number | null;
  /** Metres. */
  readonly accuracy: number | null;
  readonly isJump: boolean;
  /** Of the most severe open alert. */
  readonly alert: alerts.Severity | null;
  /** The most urgent thing that was found about it (SAY-02). */
  readonly diagnosis: DiagnosisKind | null;
  /** Its place is estimated from the cell that serves it, within so many metres; null = it has a position (SAY-08). */
  readonly radius: number | null;
}

/** What the colours of the map mean. */
export type ColorBy = 'state' | 'signal' | 'alert';
/** A colour with its meaning; `none` = not known. */
export type MapTone = 'ok' | 'warn' | 'bad' | 'none';
export const mapTones: readonly MapTone[] = ['ok', 'warn', 'bad', 'none'];

/** A position that is older is not where the vehicle is. */
const OLD_SECONDS = 86_400;
const toneOfSignal = { good: 'ok', fair: 'warn', poor: 'bad' } as const;

/** A vehicle as the server writes it. */
export function vehicleOf(row: positions.MapVehicle): Vehicle {
  const [device, name, latitude, longitude, at, presence, rssi, speed, heading, accuracy, isJump, alert, diagnosis] = row;
  return {
    device,
    name,
    latitude,
    longitude,
    at,
    presence,
    rssi,
    speed,
    heading,
    accuracy,
    isJump,
    alert,
    diagnosis,
    radius: null,
  };
}

/** A vehicle whose place is estimated; `at` is the time of its last contact. */
export function estimatedOf(row: positions.EstimatedVehicle): Vehicle {
  const [device, name, latitude, longitude, at, presence, rssi, radius, alert, diagnosis] = row;
  const unknown = { speed: null, heading: null, accuracy: null, isJump: false };
  return { device, name, latitude, longitude, at, presence, rssi, ...unknown, alert, diagnosis, radius };
}

/** Vehicles with those whose place is estimated, in place of their positions from before. */
export function withEstimated(vehicles: readonly Vehicle[], estimated: readonly Vehicle[]): readonly Vehicle[] {
  if (estimated.length === 0) return vehicles;
  const devices = new Set(estimated.map(({ device }) => device));
  return [...vehicles.filter(({ device }) => !devices.has(device)), ...estimated];
}

/** Whether there was no position for 24 hours (POS-07). @param now epoch seconds */
export function isOld({ at, radius }: Vehicle, now: number): boolean {
  return radius === null && now - at > OLD_SECONDS;
}

/** The colour of an open alert. */
export const alertTone = (severity: alerts.Severity): MapTone => (severity === 'critical' ? 'bad' : 'warn');

/** The colour of a vehicle. @param now epoch seconds */
export function toneOf(vehicle: Vehicle, by: ColorBy, now: number): MapTone {
  if (by === 'state') {
    // One that is parked sends no positions, and is where it was.
    if (vehicle.presence === 'parked' || vehicle.presence === 'planned') return 'none';
    if (isOld(vehicle, now)) return 'warn';
    if (vehicle.presence === 'unknown') return 'none';
    return vehicle.presence === 'online' ? 'ok' : 'bad';
  }
  if (by === 'alert') return vehicle.alert === null ? 'ok' : alertTone(vehicle.alert);
  if (vehicle.rssi === null || vehicle.presence !== 'online') return 'none';
  return toneOfSignal[signalQuality('rssi', vehicle.rssi)];
}

/** Whether it drives: slower is the noise of the receiver. Undefined where its router reports no speed: it may do either. */
export function isMoving({ speed }: Vehicle): boolean | undefined {
  return speed === null ? undefined : speed >= 3;
}

/** Whether two rows of a device say the same. */
function isSame(a: Vehicle, b: Vehicle): boolean {
  return (Object.keys(a) as (keyof Vehicle)[]).every((key) => a[key] === b[key]);
}

/**
 * Vehicles with the newer ones in place of those of the same device, by name like `before`. What did not change stays the same object, and a
 * list without a change the same list: what is drawn from it is drawn again only where it differs.
 */
export function merged(before: readonly Vehicle[], newer: readonly Vehicle[]): readonly Vehicle[] {
  return combined(before, newer, (known, vehicle) => known.at <= vehicle.at);
}

function combined(
  before: readonly Vehicle[],
  newer: readonly Vehicle[],
  isNewer: (known: Vehicle, vehicle: Vehicle) => boolean,
): readonly Vehicle[] {
  const places = new Map(before.map(({ device }, index) => [device, index]));
  const all = [...before];
  let [hasChanged, isOrdered] = [false, true];
  for (const vehicle of newer) {
    const place = places.get(vehicle.device);
    const known = place === undefined ? undefined : before[place]!;
    if (known !== undefined && (isSame(known, vehicle) || !isNewer(known, vehicle))) continue;
    hasChanged = true;
    isOrdered &&= known?.name === vehicle.name;
    all[place ?? all.length] = vehicle;
  }
  if (!hasChanged) return before;
  return isOrdered ? all : byName(all);
}

/** All vehicles of a response, by name, with the objects from before where nothing changed. */
export function replaced(before: readonly Vehicle[], now: readonly Vehicle[]): readonly Vehicle[] {
  const present = new Set(now.map(({ device }) => device));
  const kept = before.filter(({ device }) => present.has(device));
  return combined(kept.length === before.length ? before : kept, now, () => true);
}

/** Bus 9 before Bus 10. */
export function byName(vehicles: readonly Vehicle[]): Vehicle[] {
  return vehicles.toSorted((a, b) => compareNames(a.name, b.name) || (a.device < b.device ? -1 : 1));
}

import { hashToUnit } from './random.ts';
import { createOnboardDevices } from './onboard-devices.ts';
import type { LanHost, Networks, WanLink } from './platform.ts';

/** What is plugged into the WAN port of a simulated router. */
export const wanKinds = ['satellite', 'ethernet'] as const;

/** A ride of a passenger, milliseconds. */
const RIDE_MS = 20 * 60_000;
const SEATS = 14;
const onboard = ['ticket-printer', 'camera-recorder'] as const;
const FIRST_ONBOARD = 10;
const phones = ['iPhone', 'Galaxy-S24', 'Pixel-9', 'iPad', 'MacBook-Air', ''] as const;

/** When the router started, epoch milliseconds, and how long it has run: its date may have been corrected since. */
type PowerTimes = { startedAt(): number; uptimeMs(): number };

/**
 * Networks of a vehicle: two devices that are built in, and passengers, each for a part of the time. Everything is a function of (seed,
 * time).
 */
export function createSimulatedNetworks(
  seed: number,
  now: () => number,
  power: PowerTimes,
  wan: WanLink['kind'] | undefined,
): Networks {
  const onboardDevices = createOnboardDevices(seed, now, new Map(onboard.map((name, at) => [addressOf(at), name])));
  return {
    wan: () => (wan === undefined ? undefined : wanLink(seed, wan, power.uptimeMs())),
    modemPasses: () => true,
    radioWorks: () => true,
    nameServerResponds: () => true,
    lan: () => ({ address: '192.168.1.1', mask: '255.255.255.0' }),
    // Passengers' devices accept nothing, as most phones do.
    dial: async (address, port) => onboardDevices(address, port),
    hosts: () => [...onboard.map((name, at) => builtIn(seed, name, at, power)), ...passengers(seed, now())],
  };
}

const addressOf = (at: number) => `192.168.1.${FIRST_ONBOARD + at}`;

function wanLink(seed: number, kind: WanLink['kind'], uptimeMs: number): WanLink {
  const seconds = uptimeMs / 1_000;
  const down = 40_000 + 200_000 * hashToUnit(seed, 80);
  const address = kind === 'satellite' ? `100.64.${byte(seed, 81)}.${byte(seed, 82)}` : `192.0.2.${1 + (byte(seed, 82) % 250)}`;
  return { kind, isUp: true, address, bytesSent: Math.floor(0.1 * down * seconds), bytesReceived: Math.floor(down * seconds) };
}

function builtIn(seed: number, name: string, at: number, { startedAt, uptimeMs }: PowerTimes): LanHost {
  const seconds = uptimeMs() / 1_000;
  return {
    mac: macOf(seed, 90 + at, '00:1B:54'),
    name,
    address: addressOf(at),
    ipv6: '',
    radio: 0,
    signal: 0,
    since: startedAt(),
    bytesSent: Math.floor(seconds * 900 * (1 + at)),
    bytesReceived: Math.floor(seconds * 4_000 * (1 + at)),
  };
}

/** A seat is taken by another passenger at a time of its own; some seats are empty. */
function passengers(seed: number, now: number): LanHost[] {
  return Array.from({ length: SEATS }, (_, seat) => {
    const ride = Math.floor(now / RIDE_MS + hashToUnit(seed, 100, seat));
    const since = Math.ceil((ride - hashToUnit(seed, 100, seat)) * RIDE_MS);
    const draw = (what: number) => hashToUnit(seed + ride, what, seat);
    if (draw(101) < 0.35) return undefined;
    const seconds = Math.max(0, now - since) / 1_000;
    const rate = 2_000 + 60_000 * draw(102) ** 3;
    return {
      mac: randomMac(seed + ride, seat),
      name: phones[Math.floor(draw(103) * phones.length)] ?? '',
      address: `192.168.1.${100 + seat}`,
      ipv6: `2001:db8::${(0x1000 + seat).toString(16)}`,
      radio: draw(104) < 0.3 ? (1 as const) : (2 as const),
      signal: Math.round(-45 - 35 * draw(105)),
      since,
      bytesSent: Math.floor(rate * seconds),
      bytesReceived: Math.floor(0.1 * rate * seconds),
    };
  }).filter((host) => host !== undefined);
}

/** Phones choose an address at random for each network: locally administered, the second digit is 2, 6, A or E. */
function randomMac(seed: number, seat: number): string {
  const first = (byte(seed, 110 + seat) & 0xfc) | 0x02;
  return macOf(seed, 130 + seat, [first, byte(seed, 150 + seat), byte(seed, 170 + seat)].map(hex).join(':'));
}

function macOf(seed: number, salt: number, oui: string): string {
  return [oui, ...[0, 1, 2].map((at) => hex(byte(seed, salt * 7 + at)))].join(':');
}

const byte = (seed: number, salt: number) => Math.floor(hashToUnit(seed, salt) * 256);
const hex = (value: number) => value.toString(16).toUpperCase().padStart(2, '0');

import { normalizeIccid } from '@highline/usp';
import { byPath } from '../../kernel/by-path.ts';
import { INFO, MODEMS, SIMS } from '../../kernel/tr181.ts';

/** Counters of a modem at one time, as a router reported them. */
export interface CounterReading {
  /** Epoch milliseconds, by our clock. */
  readonly at: number;
  /** Instance of Device.Cellular.Interface. */
  readonly modem: number;
  /** Bytes since the modem started. */
  readonly sent: number;
  readonly received: number;
  /** Seconds since the router started; null = not reported. */
  readonly uptime: number | null;
  /** The SIM in use; null = the report does not say: it is the one that the router shows. Empty = of a modem that is not the one in use, and unknown. */
  readonly iccid: string | null;
}

/** The SIM in use of each modem, as the last whole response of the router said. */
export interface InUse {
  readonly modem: number;
  readonly sims: ReadonlyMap<number, number>;
}

/** Modems read per report. */
const MOST_MODEMS = 8;
const MOST_UPTIME_SECONDS = 315_360_000;
const UPTIME = `${INFO}UpTime`;

interface Found {
  sent?: number | undefined;
  received?: number | undefined;
  iccid?: string | undefined;
}

/**
 * The counters in one report, from full paths and values: each modem with its own SIM (TR-181 Device.Cellular.Interface.{i}.Stats.). A modem
 * whose report lacks one of its two counters is left out.
 * @param at epoch milliseconds
 */
export function readCounters(values: Iterable<readonly [string, unknown]>, inUse: InUse, at: number): CounterReading[] {
  const modems = new Map<number, Found>();
  const sims = new Map<number, string>();
  let uptime: number | null = null;
  for (const [path, raw] of values) {
    if (path === UPTIME) uptime = wholeNumber(raw, MOST_UPTIME_SECONDS) ?? null;
    else {
      const named = counterOf(path);
      if (named?.name === 'ICCID') takeSim(sims, named.instance, raw);
      else if (named !== undefined) takeModem(modems, named, raw);
    }
  }
  const shown = (modem: number) => (modems.size === 1 || modem === inUse.modem ? null : '');
  return Array.from(modems).flatMap(([modem, { sent, received, iccid }]) =>
    sent === undefined || received === undefined
      ? []
      : [{ at, modem, sent, received, uptime, iccid: iccid ?? simOf(modem, modems.size, sims, inUse) ?? shown(modem) }],
  );
}

/** A parameter of a modem that counts, or the number of a SIM. */
interface Counter {
  readonly instance: number;
  readonly name: 'Stats.BytesSent' | 'Stats.BytesReceived' | 'USIM.ICCID' | 'ICCID';
}

const counterOf = byPath((path): Counter | undefined => {
  const table = [MODEMS, SIMS].find((each) => path.startsWith(each));
  if (table === undefined) return undefined;
  const end = path.indexOf('.', table.length);
  const name = (table === MODEMS ? modemNames : simNames).find((each) => each === path.slice(end + 1));
  const instance = instanceOf(path.slice(table.length, end));
  return name === undefined || instance === undefined ? undefined : { instance, name };
});
const modemNames = ['Stats.BytesSent', 'Stats.BytesReceived', 'USIM.ICCID'] as const;
const simNames = ['ICCID'] as const;

function takeModem(modems: Map<number, Found>, { instance: modem, name }: Counter, raw: unknown): void {
  const found = modems.get(modem) ?? {};
  if (!modems.has(modem) && modems.size >= MOST_MODEMS) return;
  modems.set(modem, found);
  if (name === 'USIM.ICCID') found.iccid = asIccid(raw);
  else found[name === 'Stats.BytesSent' ? 'sent' : 'received'] = wholeNumber(raw, Number.MAX_SAFE_INTEGER);
}

function takeSim(sims: Map<number, string>, sim: number, raw: unknown): void {
  const iccid = asIccid(raw);
  if (iccid !== undefined && sims.size < MOST_MODEMS) sims.set(sim, iccid);
}

/** The SIM in use; where none is known of several modems, the one of the same number, and of a single modem the only one. */
function simOf(modem: number, modems: number, sims: ReadonlyMap<number, string>, inUse: InUse): string | undefined {
  const known = sims.get(inUse.sims.get(modem) ?? 0);
  if (known !== undefined || modems > 1) return known ?? sims.get(modem);
  return sims.size === 1 ? [...sims.values()][0] : undefined;
}

function instanceOf(text: string): number | undefined {
  return /^[1-9]\d{0,5}$/u.test(text) ? Number(text) : undefined;
}

/** A number of another form still names its SIM. */
function asIccid(raw: unknown): string | undefined {
  if (typeof raw !== 'string' || raw.length > 40) return undefined;
  return normalizeIccid(raw) ?? (/^[\dA-Fa-f]{10,22}$/u.test(raw) ? raw.toUpperCase() : undefined);
}

/** A counter as a number or as text: TR-181 unsignedLong. */
function wholeNumber(raw: unknown, most: number): number | undefined {
  if (typeof raw !== 'number' && (typeof raw !== 'string' || !/^\d{1,20}$/u.test(raw))) return undefined;
  const value = Number(raw);
  return Number.isInteger(value) && value >= 0 && value <= most ? value : undefined;
}

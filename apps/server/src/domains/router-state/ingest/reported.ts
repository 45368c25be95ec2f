import { asObjectPath, normalizeIccid } from '@highline/usp';
import { sanitizeText, CONFIG_FILES, FIRMWARE_IMAGES, INFO, MODEMS, SIMS } from '../../../kernel/index.ts';
import type { ReportedPatch } from '../connection/presence.changes.ts';
import { facts, type Fact } from '../facts.ts';
import type { Responses } from './responses.ts';
import { derivedFacts } from '../tables/derived-facts.ts';
import { modemOfUplinks } from '../tables/uplinks.ts';
import { isEuiccLacking, readEsim, type Euicc } from './esim.ts';
import { MAX_TEXT, readNumber } from './text.ts';

/** Ten years: a longer uptime is invalid. */
const MAX_UPTIME_SECONDS = 315_360_000;

/** The modem and the SIM that the router's row shows. 0 = none known. */
export interface Primary {
  readonly modem: number;
  readonly sim: number;
  /** The SIM in use of each modem. */
  readonly sims: ReadonlyMap<number, number>;
}

type Writable = { -readonly [K in keyof ReportedPatch]: ReportedPatch[K] };

/** The modem in use: the one below the preferred uplink that is up, else the first that is up, else the first. The SIM in use is that of this modem. */
export function choosePrimary(responses: Responses): Primary {
  const modems = responses.instances(MODEMS);
  const firstUp = modems.find((each) => responses.get(`${MODEMS}${each}.Status`) === 'Up');
  const modem = modemOfUplinks(responses) || (firstUp ?? modems[0] ?? 0);
  const sims = new Map(modems.map((each) => [each, chooseSim(responses, each)]));
  return { modem, sim: sims.get(modem) ?? chooseSim(responses, modem), sims };
}

/** The number of the SIM in use, at its modem. It decides which SIM that is. */
const NUMBER_IN_USE = 'USIM.ICCID';

/** States of a SIM that no modem can use (TR-181 SIM.{i}.Status). */
const UNUSABLE: readonly string[] = ['None', 'Blocked', 'Error'];

/**
 * The SIM in use of a modem: the one whose number the modem names, else the first of those that it prefers which is valid and has both numbers. Each
 * condition counts only where a SIM meets it.
 */
function chooseSim(responses: Responses, modem: number): number {
  const value = (sim: number, name: string) => responses.get(`${SIMS}${sim}.${name}`) ?? '';
  const own = iccidOf(responses.get(`${MODEMS}${modem}.${NUMBER_IN_USE}`) ?? '');
  const preferred = readReferences(responses.get(`${MODEMS}${modem}.SIMReferenceList`) ?? '');
  const isOfModem = (sim: number) =>
    preferred.length > 0 ? preferred.includes(sim) : responses.instances(MODEMS).length === 1 || sim === modem;
  const conditions: ((sim: number) => boolean)[] = [
    (sim) => own !== '' && iccidOf(value(sim, 'ICCID')) === own,
    (sim) => !UNUSABLE.includes(value(sim, 'Status')),
    isOfModem,
    (sim) => value(sim, 'Status') === 'Valid',
    (sim) => value(sim, 'ICCID') !== '',
    (sim) => value(sim, 'IMSI') !== '',
  ];
  const sims = responses.instances(SIMS);
  const ordered = [...preferred.filter((sim) => sims.includes(sim)), ...sims.filter((sim) => !preferred.includes(sim))];
  return conditions.reduce(narrow, ordered)[0] ?? 0;
}

/** Those that meet a condition; all if none does. */
function narrow(sims: readonly number[], condition: (sim: number) => boolean): readonly number[] {
  const found = sims.filter(condition);
  return found.length > 0 ? found : sims;
}

const iccidOf = (text: string) => normalizeIccid(text) ?? text;

/** Instances of SIMs in a list of references (TR-181 Cellular.Interface.{i}.SIMReferenceList), the preferred one first. */
function readReferences(list: string): number[] {
  return list.split(',').flatMap((reference) => {
    const path = asObjectPath(reference.trim());
    const instance = path.startsWith(SIMS) ? path.slice(SIMS.length, -1) : '';
    return /^[1-9]\d{0,5}$/u.test(instance) ? [Number(instance)] : [];
  });
}

/**
 * The facts that a router reports (DEV-09), from an answer to the paths read at a connect. Unanswered facts are left out; facts
 * the agent lacks are null, so that the console shows '--'.
 * @param euicc as of these responses, or of the last that had the SIMs
 * @param now when the response came, by our clock
 */
export function readReported(responses: Responses, primary: Primary, euicc: Euicc, now: Date): ReportedPatch {
  const patch: Writable = {};
  const configFile = findConfigFile(responses);
  const objects = { ...objectsOf(primary), [CONFIG_FILES]: configFile };
  const objectsOfEid = euicc.isThere ? { ...objects, [SIMS]: euicc.path } : objects;
  const invalid: string[] = [];
  for (const fact of facts) {
    if (fact.from.length === 0) {
      const derived = derivedFacts[fact.key]?.(responses);
      if (derived !== undefined) patch[fact.key] = derived;
      continue;
    }
    if (!hasResponse(responses, fact) || (fact.key === 'eid' && isEuiccLacking(euicc))) continue;
    // Also while another SIM is in use.
    const text = firstText(responses, pathsOf(fact, fact.key === 'eid' ? objectsOfEid : objects));
    patch[fact.key] = valueOf(fact, text, now, () => invalid.push(fact.key));
  }
  // The modem's numbers and those of its SIM are flagged in one list.
  if (responses.hasResponse(MODEMS)) {
    patch.invalid = invalid;
    patch.rssi = readDecibels(responses.get(`${MODEMS}${primary.modem}.RSSI`)) ?? null;
  }
  if (responses.hasResponse(CONFIG_FILES)) patch.config_slot = configFile ?? firstInstance(responses, CONFIG_FILES);
  if (responses.hasResponse(FIRMWARE_IMAGES)) readSlots(responses, patch);
  // A modem that restarts is none for a time.
  if (primary.modem !== 0 && responses.hasResponse(SIMS))
    patch.primary = { ...primary, count: primary.sims.size, sims: Object.fromEntries(primary.sims) };
  const esim = responses.hasResponse(SIMS) ? readEsim(responses, euicc) : undefined;
  if (esim !== undefined) patch.esim = esim;
  return patch;
}

/** Path of the instance in use of each table; undefined = none. */
type Objects = Readonly<Record<string, string | undefined>>;

function objectsOf({ modem, sim }: Pick<Primary, 'modem' | 'sim'>): Objects {
  return { '': '', [MODEMS]: `${MODEMS}${modem}.`, [SIMS]: `${SIMS}${sim}.` };
}

/** Which SIM is in use depends on its modem too. */
function hasResponse(responses: Responses, { from }: Fact): boolean {
  const { table, name } = from[0]!;
  if (table === '') return responses.hasResponse(name);
  const tables = from.map((parameter) => parameter.table);
  return [...tables, ...(tables.includes(SIMS) ? [MODEMS] : [])].every((each) => responses.hasResponse(each));
}

function pathsOf({ from }: Fact, objects: Objects): string[] {
  return from.flatMap(({ table, name }) => (objects[table] === undefined ? [] : [`${objects[table]}${name}`]));
}

function valueOf({ format, isStrict }: Fact, text: string | null, now: Date, invalid: () => void): string | null {
  if (text === null || format === 'text') return text;
  if (format === 'uptime') return bootedAt(text, now);
  const { value, isValid } = readNumber(format, text, isStrict);
  if (!isValid) invalid();
  return value;
}

/** The first file with a name is the active one; a restore replaces it. */
function findConfigFile(responses: Responses): string | undefined {
  return responses
    .instances(CONFIG_FILES)
    .map((instance) => `${CONFIG_FILES}${instance}.`)
    .find((path) => firstText(responses, [`${path}Name`, `${path}Version`]) !== null);
}

function firstInstance(responses: Responses, table: string): string | null {
  const [first] = responses.instances(table);
  return first === undefined ? null : `${table}${first}.`;
}

/** Firmware is installed into a slot that is not running; a router with a single slot has only that one. */
function readSlots(responses: Responses, patch: Writable): void {
  const slots = responses.instances(FIRMWARE_IMAGES).map((slot) => `${FIRMWARE_IMAGES}${slot}.`);
  const active = asObjectPath(responses.get(`${INFO}ActiveFirmwareImage`) ?? '');
  const runs = (path: string) => path === active || responses.get(`${path}Status`) === 'Active';
  const idle = slots.find((path) => !runs(path)) ?? slots[0];
  patch.idle_slot = idle ?? null;
  patch.idle_status = idle === undefined ? null : firstText(responses, [`${idle}Status`]);
}

function firstText(responses: Responses, paths: readonly string[]): string | null {
  for (const path of paths) {
    const text = sanitizeText(responses.get(path) ?? '', MAX_TEXT);
    if (text !== null) return text;
  }
  return null;
}

function bootedAt(uptime: string, now: Date): string | null {
  const seconds = /^\d{1,15}$/u.test(uptime) ? Number(uptime) : Number.POSITIVE_INFINITY;
  return seconds > MAX_UPTIME_SECONDS ? null : new Date(now.getTime() - seconds * 1_000).toISOString();
}

/** A signal level in dBm; agents send 0 for none. */
function readDecibels(text: string | undefined): number | undefined {
  const value = text === undefined || text.trim() === '' ? Number.NaN : Number(text);
  return value < 0 && value > -200 ? value : undefined;
}

/** Watched facts, with the parameter of each change. After a change of the number in use, everything is read: the other numbers change with it. */
const watched = facts.flatMap((fact) =>
  fact.from.flatMap((parameter) =>
    parameter.watch === undefined || parameter.name === NUMBER_IN_USE ? [] : [{ fact, ...parameter }],
  ),
);

/** Facts changed by a ValueChange; undefined for those that no fact alone follows from, and of another modem or SIM than the one shown. */
export function readValueChange(path: string, value: string, primary: Primary, now: Date): ReportedPatch | undefined {
  const objects = objectsOf(primary);
  const match = watched.find(({ table, name }) => objects[table] !== undefined && path === objects[table] + name);
  if (match === undefined) return undefined;
  return { [match.fact.key]: valueOf(match.fact, sanitizeText(value, MAX_TEXT), now, () => {}) };
}

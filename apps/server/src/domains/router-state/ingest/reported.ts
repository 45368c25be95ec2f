import { asObjectPath } from '@highline/usp';
import { sanitizeText, CONFIG_FILES, FIRMWARE_IMAGES, INFO, MODEMS, SIMS } from '../../../kernel/index.ts';
import type { ReportedPatch } from '../connection/presence.changes.ts';
import { facts, type Fact } from '../facts.ts';
import type { Answers } from './answers.ts';
import { readEsim } from './esim.ts';
import { MAX_TEXT, readNumber } from './text.ts';

/** Ten years: a longer uptime is invalid. */
const MAX_UPTIME_SECONDS = 315_360_000;

/** The modem and the SIM that the router's row shows. 0 = none known. */
export interface Primary {
  readonly modem: number;
  readonly sim: number;
}

type Writable = { -readonly [K in keyof ReportedPatch]: ReportedPatch[K] };

/** The modem in use: the first that is up, else the first. The SIM in use: the first that has both numbers, else the first. */
export function choosePrimary(answers: Answers): Primary {
  const modems = answers.instances(MODEMS);
  const sims = answers.instances(SIMS);
  const has = (sim: number, name: string) => (answers.get(`${SIMS}${sim}.${name}`) ?? '') !== '';
  return {
    modem: modems.find((modem) => answers.get(`${MODEMS}${modem}.Status`) === 'Up') ?? modems[0] ?? 0,
    sim: sims.find((sim) => has(sim, 'ICCID') && has(sim, 'IMSI')) ?? sims.find((sim) => has(sim, 'ICCID')) ?? sims[0] ?? 0,
  };
}

/**
 * The facts that a router reports (DEV-09), from an answer to the paths read at a connect. Unanswered facts are left out; facts
 * the agent lacks are null, so that the console shows '--'.
 * @param now when the answer came, by our clock
 */
export function readReported(answers: Answers, primary: Primary, now: Date): ReportedPatch {
  const patch: Writable = {};
  const configFile = findConfigFile(answers);
  const objects = { ...objectsOf(primary), [CONFIG_FILES]: configFile };
  const invalid: string[] = [];
  for (const fact of facts) {
    if (!isAnswered(answers, fact)) continue;
    const text = firstText(answers, pathsOf(fact, objects));
    patch[fact.key] = valueOf(fact, text, now, () => invalid.push(fact.key));
  }
  // The modem's numbers and those of its SIM are flagged in one list.
  if (answers.isAnswered(MODEMS)) {
    patch.invalid = invalid;
    patch.rssi = readDecibels(answers.get(`${MODEMS}${primary.modem}.RSSI`)) ?? null;
  }
  if (answers.isAnswered(CONFIG_FILES)) patch.config_slot = configFile ?? firstInstance(answers, CONFIG_FILES);
  if (answers.isAnswered(FIRMWARE_IMAGES)) readSlots(answers, patch);
  if (answers.isAnswered(SIMS)) patch.esim = readEsim(answers);
  return patch;
}

/** Path of the instance in use of each table; undefined = none. */
type Objects = Readonly<Record<string, string | undefined>>;

function objectsOf({ modem, sim }: Primary): Objects {
  return { '': '', [MODEMS]: `${MODEMS}${modem}.`, [SIMS]: `${SIMS}${sim}.` };
}

/** What a SIM holds depends on its modem too: older agents keep it there. */
function isAnswered(answers: Answers, { from }: Fact): boolean {
  const { table, name } = from[0]!;
  if (table === '') return answers.isAnswered(name);
  return answers.isAnswered(table) && (table !== SIMS || answers.isAnswered(MODEMS));
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
function findConfigFile(answers: Answers): string | undefined {
  return answers
    .instances(CONFIG_FILES)
    .map((instance) => `${CONFIG_FILES}${instance}.`)
    .find((path) => firstText(answers, [`${path}Name`, `${path}Version`]) !== null);
}

function firstInstance(answers: Answers, table: string): string | null {
  const [first] = answers.instances(table);
  return first === undefined ? null : `${table}${first}.`;
}

/** Firmware is installed into a slot that is not running; a router with a single slot has only that one. */
function readSlots(answers: Answers, patch: Writable): void {
  const slots = answers.instances(FIRMWARE_IMAGES).map((slot) => `${FIRMWARE_IMAGES}${slot}.`);
  const active = asObjectPath(answers.get(`${INFO}ActiveFirmwareImage`) ?? '');
  const runs = (path: string) => path === active || answers.get(`${path}Status`) === 'Active';
  const idle = slots.find((path) => !runs(path)) ?? slots[0];
  patch.idle_slot = idle ?? null;
  patch.idle_status = idle === undefined ? null : firstText(answers, [`${idle}Status`]);
}

function firstText(answers: Answers, paths: readonly string[]): string | null {
  for (const path of paths) {
    const text = sanitizeText(answers.get(path) ?? '', MAX_TEXT);
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

/** Watched facts, with the parameter of each change. */
const watched = facts.flatMap((fact) =>
  fact.from.flatMap((parameter) => (parameter.watch === undefined ? [] : [{ fact, ...parameter }])),
);

/** Facts changed by a ValueChange; changes of another modem or SIM than the one shown are ignored. */
export function readValueChange(path: string, value: string, primary: Primary, now: Date): ReportedPatch | undefined {
  const objects = objectsOf(primary);
  const match = watched.find(({ table, name }) => objects[table] !== undefined && path === objects[table] + name);
  if (match === undefined) return undefined;
  return { [match.fact.key]: valueOf(match.fact, sanitizeText(value, MAX_TEXT), now, () => {}) };
}

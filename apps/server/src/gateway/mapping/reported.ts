import type { ReportedPatch } from '../../domains/presence/index.ts';
import type { Answers } from './answers.ts';
import { CONFIG_FILES, INFO, MODEMS, SIMS } from './paths.ts';
import { cleanText, readNumber, type NumberColumn } from './text.ts';

/** Code units kept of a text that a router tells. */
const LONGEST = 100;
/** Ten years: an uptime beyond is not believed. */
const MAX_UPTIME_SECONDS = 315_360_000;

/** Which modem and which SIM of a router are the ones its row shows. 0 = none known. */
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
 * The columns of a device that its router tells (DEV-09), out of an answer to READ_PATHS. What was not answered is left out; what
 * the agent lacks is null, so that the console shows '--'.
 * @param now when the answer came, by our clock
 */
export function readReported(answers: Answers, primary: Primary, now: Date): ReportedPatch {
  const patch: Writable = {};
  if (answers.isAnswered(`${INFO}ModelName`)) patch.model = firstText(answers, [`${INFO}ModelName`, `${INFO}ProductClass`]);
  if (answers.isAnswered(`${INFO}HardwareVersion`)) patch.hardware_version = firstText(answers, [`${INFO}HardwareVersion`]);
  if (answers.isAnswered(`${INFO}SoftwareVersion`)) patch.firmware = firstText(answers, [`${INFO}SoftwareVersion`]);
  if (answers.isAnswered(`${INFO}UpTime`)) patch.booted_at = bootedAt(answers.get(`${INFO}UpTime`), now);
  if (answers.isAnswered(CONFIG_FILES)) patch.config = configOf(answers);
  if (answers.isAnswered(MODEMS)) readModem(answers, primary, patch);
  if (answers.isAnswered(MODEMS) && answers.isAnswered(SIMS)) readSim(answers, primary, patch);
  return patch;
}

function readModem(answers: Answers, { modem }: Primary, patch: Writable): void {
  const path = `${MODEMS}${modem}.`;
  patch.carrier = firstText(answers, [`${path}NetworkInUse`]);
  patch.technology = firstText(answers, [`${path}CurrentAccessTechnology`]);
  patch.rssi = readDecibels(answers.get(`${path}RSSI`)) ?? null;
  patch.imei = null;
  patch.invalid = [];
  takeNumber(patch, 'imei', answers.get(`${path}IMEI`));
}

/** SIM values stand with the SIM since TR-181 2.19, before that with the modem: whichever the agent has. */
function readSim(answers: Answers, { modem, sim }: Primary, patch: Writable): void {
  const read = (name: string) => {
    const now = answers.get(`${SIMS}${sim}.${name}`) ?? '';
    return now === '' ? answers.get(`${MODEMS}${modem}.USIM.${name}`) : now;
  };
  takeNumber(patch, 'imsi', read('IMSI'));
  takeNumber(patch, 'iccid', read('ICCID'));
  takeNumber(patch, 'mtn', read('MSISDN'));
  takeNumber(patch, 'eid', answers.get(`${SIMS}${sim}.EID`));
}

function takeNumber(patch: Writable, column: NumberColumn, text: string | undefined): void {
  const { value, isValid } = readNumber(column, text ?? '');
  patch[column] = value;
  if (!isValid) patch.invalid = [...(patch.invalid ?? []), column];
}

function configOf(answers: Answers): string | null {
  for (const file of answers.instances(CONFIG_FILES)) {
    const name = firstText(answers, [`${CONFIG_FILES}${file}.Name`, `${CONFIG_FILES}${file}.Version`]);
    if (name !== null) return name;
  }
  return null;
}

function firstText(answers: Answers, paths: readonly string[]): string | null {
  for (const path of paths) {
    const text = cleanText(answers.get(path) ?? '', LONGEST);
    if (text !== null) return text;
  }
  return null;
}

function bootedAt(uptime: string | undefined, now: Date): string | null {
  const seconds = readWhole(uptime);
  return seconds === undefined || seconds > MAX_UPTIME_SECONDS ? null : new Date(now.getTime() - seconds * 1_000).toISOString();
}

/** A count; undefined for anything that is none. */
export function readWhole(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,15}$/u.test(text) ? Number(text) : undefined;
}

/** A signal level in dBm; agents send 0 for none. */
export function readDecibels(text: string | undefined): number | undefined {
  const value = text === undefined || text.trim() === '' ? Number.NaN : Number(text);
  return value < 0 && value > -200 ? value : undefined;
}

/** Changes of single values, as a ValueChange tells them; those of another modem or SIM than the one shown are no news. */
export function readValueChange(path: string, value: string, { modem, sim }: Primary): ReportedPatch | undefined {
  const text = () => cleanText(value, LONGEST);
  const number = (column: NumberColumn): ReportedPatch => ({ [column]: readNumber(column, value).value });
  switch (path) {
    case `${INFO}SoftwareVersion`:
      return { firmware: text() };
    case `${INFO}HardwareVersion`:
      return { hardware_version: text() };
    case `${MODEMS}${modem}.NetworkInUse`:
      return { carrier: text() };
    case `${MODEMS}${modem}.CurrentAccessTechnology`:
      return { technology: text() };
    case `${MODEMS}${modem}.USIM.ICCID`:
    case `${SIMS}${sim}.ICCID`:
      return number('iccid');
    case `${MODEMS}${modem}.USIM.IMSI`:
    case `${SIMS}${sim}.IMSI`:
      return number('imsi');
    case `${MODEMS}${modem}.USIM.MSISDN`:
    case `${SIMS}${sim}.MSISDN`:
      return number('mtn');
    default:
      return undefined;
  }
}

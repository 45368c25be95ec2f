import { asObjectPath } from '@highline/usp';
import type { ReportedPatch } from '../../../domains/presence/index.ts';
import type { Answers } from './answers.ts';
import { readEsim } from './esim.ts';
import { CONFIG_FILES, FIRMWARE_IMAGES, INFO, MODEMS, SIMS } from './paths.ts';
import { sanitizeText } from '../../../kernel/sanitize-device-text.ts';
import { readNumber, type NumberColumn } from './text.ts';

/** Code units kept of a text reported by a router. */
const LONGEST = 100;
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
 * The columns of a device that its router reports (DEV-09), from an answer to READ_PATHS. Unanswered columns are left out;
 * columns the agent lacks are null, so that the console shows '--'.
 * @param now when the answer came, by our clock
 */
export function readReported(answers: Answers, primary: Primary, now: Date): ReportedPatch {
  const patch: Writable = {};
  if (answers.isAnswered(`${INFO}ModelName`)) patch.model = firstText(answers, [`${INFO}ModelName`, `${INFO}ProductClass`]);
  if (answers.isAnswered(`${INFO}HardwareVersion`)) patch.hardware_version = firstText(answers, [`${INFO}HardwareVersion`]);
  if (answers.isAnswered(`${INFO}SoftwareVersion`)) patch.firmware = firstText(answers, [`${INFO}SoftwareVersion`]);
  if (answers.isAnswered(`${INFO}UpTime`)) patch.booted_at = bootedAt(answers.get(`${INFO}UpTime`), now);
  if (answers.isAnswered(CONFIG_FILES)) readConfig(answers, patch);
  if (answers.isAnswered(FIRMWARE_IMAGES)) readSlots(answers, patch);
  if (answers.isAnswered(MODEMS)) readModem(answers, primary, patch);
  if (answers.isAnswered(MODEMS) && answers.isAnswered(SIMS)) readSim(answers, primary, patch);
  if (answers.isAnswered(SIMS)) patch.esim = readEsim(answers);
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

/** TR-181 keeps these values with the SIM since 2.19, before that with the modem: use whichever the agent has. */
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

/** The first file with a name is the active one; a restore replaces it. */
function readConfig(answers: Answers, patch: Writable): void {
  const files = answers.instances(CONFIG_FILES).map((file) => `${CONFIG_FILES}${file}.`);
  const named = files.find((path) => firstText(answers, [`${path}Name`, `${path}Version`]) !== null);
  patch.config = named === undefined ? null : firstText(answers, [`${named}Name`, `${named}Version`]);
  // A version is any text (TR-181); only our extension reports the contents.
  patch.config_version = named === undefined ? null : firstText(answers, [`${named}X_HIGHLINE_SHA256`, `${named}Version`]);
  patch.config_slot = named ?? files[0] ?? null;
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
    const text = sanitizeText(answers.get(path) ?? '', LONGEST);
    if (text !== null) return text;
  }
  return null;
}

function bootedAt(uptime: string | undefined, now: Date): string | null {
  const seconds = readWhole(uptime);
  return seconds === undefined || seconds > MAX_UPTIME_SECONDS ? null : new Date(now.getTime() - seconds * 1_000).toISOString();
}

/** A count; undefined for anything else. */
export function readWhole(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,15}$/u.test(text) ? Number(text) : undefined;
}

/** A signal level in dBm; agents send 0 for none. */
export function readDecibels(text: string | undefined): number | undefined {
  const value = text === undefined || text.trim() === '' ? Number.NaN : Number(text);
  return value < 0 && value > -200 ? value : undefined;
}

/** Columns changed by a ValueChange; changes of another modem or SIM than the one shown are ignored. */
export function readValueChange(path: string, value: string, { modem, sim }: Primary): ReportedPatch | undefined {
  const text = () => sanitizeText(value, LONGEST);
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

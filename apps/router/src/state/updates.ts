import { isOlderVersion } from '@highline/image';
import { isBackedUp, settingRows, type BackedUp } from '../settings/backup-file.ts';
import { withoutRequest, withRequest } from './requests.ts';
import type { ConfigFile, Job, JobEnd, RouterState, Slot, SlotNumber, JobRequest } from './state.ts';

/** State transitions of updates. Pure: the caller commits the result, and a crash between two commits resumes at the first. */

const INFO = 'Device.DeviceInfo.';
/** Failure of software that was replaced by the previous one; the cloud knows the keyword at its start. */
export const NOT_HOME = 'did-not-call-home: the router could not reach the cloud with it and restored the previous one';
/** Starts of software on trial without calling home. */
const MAX_TRIAL_BOOTS = 3;
const RETAINED_ENDS = 8;

/** Slots are counted from 1, as TR-181 counts FirmwareImage.{i}. */
export function slotOf(state: Pick<RouterState, 'flash'>, number: SlotNumber): Slot {
  return state.flash.slots[number - 1]!;
}

/** The slot that may be written while this one runs. */
export function otherSlot(number: SlotNumber): SlotNumber {
  return number === 1 ? 2 : 1;
}

const EMPTY_SLOT: Slot = { version: '', status: 'NoImage', fault: '' };

/**
 * Start a job: it, its Request row and the deletion of the slot's contents are one write. A slot never counts as good while it is
 * being overwritten, nor is it chosen for the next start. A command that starts a slot replaces the choice.
 */
export function withJob(before: RouterState, request: JobRequest, originator: string, now: number): RouterState {
  const unchosen = request.kind === 'config' ? before : withoutChoice(before);
  const emptied = request.kind === 'firmware' ? withSlot(unchosen, request.slot, EMPTY_SLOT) : unchosen;
  const { state, requestPath } = withRequest(emptied, request, originator);
  return { ...state, job: { ...request, requestPath, stage: 'accepted', idleTries: 0, startedAt: now } };
}

/** End the job; its result is kept until it was acknowledged. @param failure null = success */
export function withEnd(state: RouterState, failure: string | null, now: number): RouterState {
  const { job } = state;
  if (job === null) return state;
  const { objPath, command, commandKey, url, startedAt } = job;
  const end: JobEnd = { objPath, command, commandKey, failure, url, startedAt, endedAt: now, delivered: false };
  const others = state.ended.filter((each) => each.commandKey !== commandKey);
  return { ...withoutRequest(state, job.requestPath), job: null, ended: [...others, end].slice(-RETAINED_ENDS) };
}

/** The state with another image in a slot, or none. */
export function withSlot(state: RouterState, number: SlotNumber, slot: Slot): RouterState {
  const slots: [Slot, Slot] = [...state.flash.slots];
  slots[number - 1] = slot;
  return { ...state, flash: { ...state.flash, slots } };
}

/** The next start runs another slot, on trial. @param boot cause reported in that start's Boot! */
export function withSwitch(
  state: RouterState,
  number: SlotNumber,
  boot: Omit<RouterState['boot'], 'firmwareUpdated'>,
): RouterState {
  return {
    ...withoutChoice(state),
    flash: { ...state.flash, active: number },
    installed: { ...state.installed, firmware: slotOf(state, number).version },
    boot: { ...boot, firmwareUpdated: true },
    trial: { kind: 'firmware', previous: state.flash.active, boots: 0 },
  };
}

/** Activate a config file, on trial. */
export function withConfig(state: RouterState, file: ConfigFile | null): RouterState {
  return {
    ...state,
    installed: { ...state.installed, config: file },
    trial: { kind: 'config', previous: state.installed.config, boots: 0 },
  };
}

/** Activate the settings and the config file of a backup, on trial together. */
export function withBackup(state: RouterState, { rows, config }: BackedUp): RouterState {
  const { trial, ...others } = withConfig(state, config);
  if (trial?.kind !== 'config') throw new TypeError('a config file is not on trial');
  return {
    ...others,
    trial: { ...trial, rows: settingRows(state.rows) },
    rows: withSettings(state.rows, rows),
    nextInstance: Object.keys(rows).reduce(afterInstances, state.nextInstance),
  };
}

/** Rows with these settings instead of all that are there. */
function withSettings(rows: RouterState['rows'], settings: RouterState['rows']): RouterState['rows'] {
  return { ...Object.fromEntries(Object.entries(rows).filter(([path]) => !isBackedUp(path))), ...settings };
}

/** Numbers that a row uses are not given to another instance later. */
function afterInstances(numbers: RouterState['nextInstance'], path: string): RouterState['nextInstance'] {
  const next = { ...numbers };
  for (const { index, 1: digits } of path.matchAll(/\.(\d+)(?=\.)/gu)) {
    const table = path.slice(0, index + 1);
    next[table] = Math.max(next[table] ?? 1, Number(digits) + 1);
  }
  return next;
}

/** The job whose software is on trial; the choice of a slot for the next start begins a trial without one. */
function trialJobOf({ job }: RouterState): Job | undefined {
  return job?.stage === 'trial' ? job : undefined;
}

/** A job that is not on trial itself continues after the trial. */
function withTrialEnd(state: RouterState, failure: string | null, now: number): RouterState {
  return trialJobOf(state) === undefined ? state : withEnd(state, failure, now);
}

/** The software on trial has called home. */
export function afterHome(state: RouterState, now: number): RouterState {
  const kept = state.trial?.kind === 'firmware' ? withOldest(state) : state;
  return withTrialEnd({ ...kept, trial: null }, null, now);
}

/** From now on no version is installed or started that is older than the running image allows. */
function withOldest(state: RouterState): RouterState {
  const { active, oldest: before } = state.flash;
  const { oldest } = slotOf(state, active);
  if (oldest === undefined || (before !== undefined && isOlderVersion(oldest, before))) return state;
  const number = otherSlot(active);
  const other = slotOf(state, number);
  const kept = isOlderVersion(other.version, oldest) ? withSlot(state, number, { ...other, status: 'ValidationFailed' }) : state;
  return { ...kept, flash: { ...kept.flash, oldest } };
}

/** Replace the software on trial by the previous one. */
export function afterReturn(state: RouterState, now: number, failure = NOT_HOME): RouterState {
  const { trial } = state;
  if (trial === null) return state;
  if (trial.kind === 'config') {
    const rows = trial.rows === undefined ? state.rows : withSettings(state.rows, trial.rows);
    const installed = { ...state.installed, config: trial.previous };
    return withTrialEnd({ ...state, rows, trial: null, installed }, failure, now);
  }
  const failed = withSlot(state, state.flash.active, { ...slotOf(state, state.flash.active), status: 'ActivationFailed' });
  const back = {
    ...failed,
    trial: null,
    flash: { ...failed.flash, active: trial.previous },
    installed: { ...state.installed, firmware: slotOf(state, trial.previous).version },
    boot: { cause: 'LocalReboot', commandKey: trialJobOf(state)?.commandKey ?? '', firmwareUpdated: false } as const,
  };
  return withTrialEnd(back, failure, now);
}

/** Count a start against the software on trial, and apply a slot chosen for it. */
export function afterStart(state: RouterState, now: number): RouterState {
  if (state.trial === null) {
    const chosen = chosenSlot(state);
    return chosen === undefined ? withoutChoice(state) : countBoot(withSwitch(state, chosen, state.boot));
  }
  return state.trial.boots >= MAX_TRIAL_BOOTS ? afterReturn(state, now) : countBoot(state);
}

function countBoot(state: RouterState): RouterState {
  return state.trial === null ? state : { ...state, trial: { ...state.trial, boots: state.trial.boots + 1 } };
}

/** The slot named by BootFirmwareImage, when it is not the running one and holds an image. */
function chosenSlot(state: RouterState): SlotNumber | undefined {
  const number = /\.([12])\.?$/u.exec(state.rows[INFO]?.['BootFirmwareImage'] ?? '')?.[1];
  const slot = number === '1' ? 1 : number === '2' ? 2 : undefined;
  if (slot === undefined || slot === state.flash.active) return undefined;
  return slotOf(state, slot).status === 'Available' ? slot : undefined;
}

function withoutChoice(state: RouterState): RouterState {
  const { [INFO]: row, ...rows } = state.rows;
  if (row?.['BootFirmwareImage'] === undefined) return state;
  const { BootFirmwareImage: _, ...rest } = row;
  return { ...state, rows: Object.keys(rest).length > 0 ? { ...rows, [INFO]: rest } : rows };
}

/** The controller has acknowledged the end of a command. */
export function afterEndDelivered(state: RouterState, commandKey: string): RouterState {
  return { ...state, ended: state.ended.map((end) => (end.commandKey === commandKey ? { ...end, delivered: true } : end)) };
}

/** Slot contents after a failed job. */
export function afterFailure(state: RouterState, { kind, slot }: Job, message: string): RouterState {
  return kind === 'firmware' ? withSlot(state, slot, { version: '', status: statusOf(message), fault: '' }) : state;
}

/** Why a slot cannot be used for a command; undefined when it can. */
export function slotFault({ flash }: RouterState, { kind, slot }: Pick<Job, 'kind' | 'slot'>): string | undefined {
  if (kind === 'config') return undefined;
  if (slot === flash.active) return 'this image runs; choose the other one';
  const isEmpty = kind === 'activate' && slotOf({ flash }, slot).status !== 'Available';
  return isEmpty ? 'there is no image to start here' : undefined;
}

function statusOf(message: string): Slot['status'] {
  if (message.startsWith('download-failed')) return 'DownloadFailed';
  return message.startsWith('installation-failed') ? 'InstallationFailed' : 'ValidationFailed';
}

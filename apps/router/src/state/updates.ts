import type { ConfigFile, Job, JobEnd, RouterState, Slot, SlotNumber } from './state.ts';

/** How updates move the stored state. Pure: the caller commits what comes out, and a crash between two commits resumes at the first. */

const REQUESTS = 'Device.LocalAgent.Request.';
const INFO = 'Device.DeviceInfo.';
/** What a router that comes back by itself says of what it left behind; the cloud knows the first word. */
export const NOT_HOME = 'did-not-call-home: the router could not reach the cloud with it and took back what ran before';
/** Starts that something on trial may take without calling home. */
const MAX_TRIAL_BOOTS = 3;
const KEPT_ENDS = 8;

export function slotOf(state: Pick<RouterState, 'flash'>, number: SlotNumber): Slot {
  return state.flash.slots[number - 1]!;
}

export function otherSlot(number: SlotNumber): SlotNumber {
  return number === 1 ? 2 : 1;
}

/** A job begins: it and its Request row are one write. */
export function withJob(
  state: RouterState,
  wanted: Omit<Job, 'requestPath' | 'stage' | 'idleTries'>,
  originator: string,
): RouterState {
  const number = state.nextInstance[REQUESTS] ?? 1;
  const requestPath = `${REQUESTS}${number}.`;
  const { objPath, command, commandKey } = wanted;
  const row = { Originator: originator, Command: objPath + command, CommandKey: commandKey, Status: 'Active' };
  return {
    ...state,
    job: { ...wanted, requestPath, stage: 'accepted', idleTries: 0 },
    rows: { ...state.rows, [requestPath]: row },
    nextInstance: { ...state.nextInstance, [REQUESTS]: number + 1 },
  };
}

/** The job ends; what is to be told of it is kept until it was. @param failure null = it is done */
export function withEnd(state: RouterState, failure: string | null): RouterState {
  const { job } = state;
  if (job === null) return state;
  const { [job.requestPath]: _, ...rows } = state.rows;
  const { objPath, command, commandKey, url } = job;
  const end: JobEnd = { objPath, command, commandKey, failure, url, delivered: false };
  const others = state.ended.filter((each) => each.commandKey !== commandKey);
  return { ...state, rows, job: null, ended: [...others, end].slice(-KEPT_ENDS) };
}

export function withSlot(state: RouterState, number: SlotNumber, slot: Slot): RouterState {
  const slots: [Slot, Slot] = [...state.flash.slots];
  slots[number - 1] = slot;
  return { ...state, flash: { ...state.flash, slots } };
}

/** The next start runs another slot, on trial. */
export function withSwitch(state: RouterState, number: SlotNumber, commandKey: string): RouterState {
  return {
    ...withoutChoice(state),
    flash: { ...state.flash, active: number },
    installed: { ...state.installed, firmware: slotOf(state, number).version },
    boot: { cause: 'LocalReboot', commandKey, firmwareUpdated: true },
    trial: { kind: 'firmware', previous: state.flash.active, boots: 0 },
  };
}

/** A config file comes into force, on trial. */
export function withConfig(state: RouterState, file: ConfigFile): RouterState {
  return {
    ...state,
    installed: { ...state.installed, config: file },
    trial: { kind: 'config', previous: state.installed.config, boots: 0 },
  };
}

/** What is on trial has called home. */
export function afterHome(state: RouterState): RouterState {
  return withEnd({ ...state, trial: null }, null);
}

/** What is on trial gives way to what ran before. */
export function afterReturn(state: RouterState): RouterState {
  const { trial } = state;
  if (trial === null) return state;
  if (trial.kind === 'config')
    return withEnd({ ...state, trial: null, installed: { ...state.installed, config: trial.previous } }, NOT_HOME);
  const failed = withSlot(state, state.flash.active, { ...slotOf(state, state.flash.active), status: 'ActivationFailed' });
  const back = {
    ...failed,
    trial: null,
    flash: { ...failed.flash, active: trial.previous },
    installed: { ...state.installed, firmware: slotOf(state, trial.previous).version },
    boot: { cause: 'LocalReboot', commandKey: '', firmwareUpdated: false } as const,
  };
  return withEnd(back, NOT_HOME);
}

/** A start counts against what is on trial; and it is the moment for a slot that was chosen for it. */
export function afterStart(state: RouterState): RouterState {
  if (state.trial === null) {
    const chosen = chosenSlot(state);
    return chosen === undefined ? withoutChoice(state) : countBoot(withSwitch(state, chosen, ''));
  }
  return state.trial.boots >= MAX_TRIAL_BOOTS ? afterReturn(state) : countBoot(state);
}

function countBoot(state: RouterState): RouterState {
  return state.trial === null ? state : { ...state, trial: { ...state.trial, boots: state.trial.boots + 1 } };
}

/** The slot that BootFirmwareImage names, when it is another than the one that runs and holds an image. */
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

/** The controller has taken the end of a command. */
export function afterEndDelivered(state: RouterState, commandKey: string): RouterState {
  return { ...state, ended: state.ended.map((end) => (end.commandKey === commandKey ? { ...end, delivered: true } : end)) };
}

import { countTrialStart, keptOfEsims } from './esims.ts';
import { afterStart } from './updates.ts';
import { factoryState, type RouterState, type Row } from './state.ts';

/** How the stored state moves from one start to the next. Pure: the caller commits what comes out. */

const SUBSCRIPTION = /^Device\.LocalAgent\.Subscription\.\d+\.$/;
const ORDINARY_BOOT: RouterState['boot'] = { cause: 'LocalReboot', commandKey: '', firmwareUpdated: false };

/** The router has started: counted, dated at the first time, and without the subscriptions that were not to persist. */
export function afterBoot(state: RouterState, clockNow: number): RouterState {
  const rows = Object.fromEntries(Object.entries(state.rows).filter(([path, row]) => outlivesRestart(path, row)));
  const started = { ...countTrialStart(state), bootCount: state.bootCount + 1, firstUse: state.firstUse ?? clockNow, rows };
  return afterStart(started, clockNow);
}

/** The controller has asked for a restart: the next Boot! says so and carries its key. */
export function afterRebootRequest(state: RouterState, commandKey: string): RouterState {
  return { ...state, boot: { cause: 'RemoteReboot', commandKey, firmwareUpdated: false } };
}

/** Settings are forgotten; what the hardware counts, the firmware it runs and its SIM profiles are not. Instance numbers begin anew with the tables. */
export function afterFactoryReset(
  state: RouterState,
  commandKey: string,
  cause: 'LocalFactoryReset' | 'RemoteFactoryReset',
): RouterState {
  const fresh = factoryState({ firmware: state.installed.firmware, config: null });
  const boot = { cause, commandKey, firmwareUpdated: false };
  // Firmware that has not called home yet does not become proven by it.
  const trial = state.trial?.kind === 'firmware' ? state.trial : null;
  return {
    ...fresh,
    ...keptOfEsims(state),
    bootCount: state.bootCount,
    firstUse: state.firstUse,
    boot,
    flash: state.flash,
    trial,
  };
}

/** The controller has taken this start's Boot!: another start is an ordinary one. */
export function afterBootDelivered(state: RouterState): RouterState {
  return { ...state, boot: ORDINARY_BOOT };
}

function outlivesRestart(path: string, row: Row): boolean {
  return !SUBSCRIPTION.test(path) || row['Persistent'] === 'true';
}

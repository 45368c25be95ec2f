import { countTrialStart, retainedEsims } from './esims.ts';
import { afterStart } from './updates.ts';
import { factoryState, type RouterState, type Row } from './state.ts';

/** State transitions from one start to the next. Pure: the caller commits the result. */

const SUBSCRIPTION = /^Device\.LocalAgent\.Subscription\.\d+\.$/;
const ORDINARY_BOOT: RouterState['boot'] = { cause: 'LocalReboot', commandKey: '', firmwareUpdated: false };

/** The router has started: count it, record the first time, and drop non-persistent subscriptions. */
export function afterBoot(state: RouterState, clockNow: number): RouterState {
  const rows = Object.fromEntries(Object.entries(state.rows).filter(([path, row]) => outlivesRestart(path, row)));
  const started = { ...countTrialStart(state), bootCount: state.bootCount + 1, firstUse: state.firstUse ?? clockNow, rows };
  return afterStart(started, clockNow);
}

/** The controller has requested a restart: the next Boot! reports it with its key. */
export function afterRebootRequest(state: RouterState, commandKey: string): RouterState {
  return { ...state, boot: { cause: 'RemoteReboot', commandKey, firmwareUpdated: false } };
}

/**
 * Delete settings, but keep hardware counters, the running firmware and SIM profiles. Instance numbers start again with the
 * tables.
 */
export function afterFactoryReset(
  state: RouterState,
  commandKey: string,
  cause: 'LocalFactoryReset' | 'RemoteFactoryReset',
): RouterState {
  const fresh = factoryState({ firmware: state.installed.firmware, config: null });
  const boot = { cause, commandKey, firmwareUpdated: false };
  // A reset does not prove firmware that has not called home yet.
  const trial = state.trial?.kind === 'firmware' ? state.trial : null;
  return {
    ...fresh,
    ...retainedEsims(state),
    bootCount: state.bootCount,
    firstUse: state.firstUse,
    boot,
    flash: state.flash,
    trial,
  };
}

/** The controller has acknowledged this start's Boot!: another start is an ordinary one. */
export function afterBootDelivered(state: RouterState): RouterState {
  return { ...state, boot: ORDINARY_BOOT };
}

function outlivesRestart(path: string, row: Row): boolean {
  return !SUBSCRIPTION.test(path) || row['Persistent'] === 'true';
}

import { describe, expect, it } from 'vitest';
import { afterFactoryReset } from './lifecycle.ts';
import { factoryState, type RouterState, type JobRequest } from './state.ts';
import { afterHome, afterReturn, afterStart, withEnd, withJob, withSlot, withSwitch } from './updates.ts';

const NOW = 1_000;
const request: JobRequest = {
  kind: 'firmware',
  objPath: 'Device.DeviceInfo.FirmwareImage.2.',
  command: 'Download()',
  commandKey: 'k',
  slot: 2,
  autoActivate: true,
  fileName: '',
  url: 'http://cloud/dl/k',
  username: 'u',
  password: 'p',
  size: 10,
  sha256: 'ab',
};
const factory = factoryState({ firmware: '1.0.0', config: null });
const good = withSlot(factory, 2, { version: '2.0.0', status: 'Available', fault: '' });
const onTrial = (): RouterState => {
  const { job, ...state } = withSwitch(withJob(good, { ...request, kind: 'activate' }, 'cloud', NOW), 2, factory.boot);
  return { ...state, job: job && { ...job, stage: 'trial' } };
};
const choosing = (slot: number): RouterState => ({
  ...good,
  rows: { 'Device.DeviceInfo.': { BootFirmwareImage: `Device.DeviceInfo.FirmwareImage.${slot}`, FriendlyName: 'Bus' } },
});

describe('stored state of updates', () => {
  it('a slot to be overwritten holds no image and is no longer chosen, in the same write', () => {
    const state = withJob(choosing(2), request, 'cloud', NOW);
    expect(state.flash.slots[1]).toMatchObject({ status: 'NoImage', version: '' });
    expect(state.rows['Device.DeviceInfo.']).toEqual({ FriendlyName: 'Bus' });
    expect(state.rows['Device.LocalAgent.Request.1.']).toMatchObject({ CommandKey: 'k', Originator: 'cloud' });
    expect(afterStart(state, NOW).flash.active).toBe(1);
  });

  it('an end removes its Request row, and keeps no credentials', () => {
    const state = withEnd(withJob(factory, request, 'cloud', NOW), null, 2_000);
    expect(Object.keys(state.rows)).toEqual([]);
    expect(state.ended).toMatchObject([{ commandKey: 'k', failure: null, startedAt: NOW, endedAt: 2_000, delivered: false }]);
    expect(JSON.stringify(state)).not.toContain('password');
  });

  it('only the last few ends are kept', () => {
    let state = factory;
    for (let n = 0; n < 20; n++) state = withEnd(withJob(state, { ...request, commandKey: `k${n}` }, 'cloud', NOW), null, NOW);
    expect(state.ended.map(({ commandKey }) => commandKey)).toEqual(Array.from({ length: 8 }, (_, n) => `k${n + 12}`));
  });

  it('software on trial may start three times; then the previous one is restored', () => {
    let state: RouterState = onTrial();
    for (let boot = 1; boot <= 3; boot++) {
      state = afterStart(state, NOW);
      expect([state.flash.active, state.installed.firmware]).toEqual([2, '2.0.0']);
    }
    state = afterStart(state, NOW);
    expect(state).toMatchObject({ trial: null, job: null, flash: { active: 1 }, installed: { firmware: '1.0.0' } });
    expect(state.flash.slots[1].status).toBe('ActivationFailed');
    expect(state.boot).toEqual({ cause: 'LocalReboot', commandKey: 'k', firmwareUpdated: false });
    expect(state.ended[0]?.failure).toMatch(/^did-not-call-home/u);
  });

  it('software that has called home stays', () => {
    const state = afterHome(afterStart(onTrial(), NOW), NOW);
    expect(state).toMatchObject({ trial: null, job: null, flash: { active: 2 }, ended: [{ failure: null }] });
    expect(afterReturn(state, NOW)).toBe(state);
  });

  it('GRP-10-partial a command that starts a slot takes the place of the choice for the next start', () => {
    const state = withJob(choosing(2), { ...request, kind: 'activate' }, 'cloud', NOW);
    expect(state.rows['Device.DeviceInfo.']).toEqual({ FriendlyName: 'Bus' });
  });

  it.each([
    ['that it chose', 2, 2],
    ['that runs already', 1, 1],
  ])('a start runs the slot %s, and clears the choice', (_, chosen, active) => {
    const state = afterStart(choosing(chosen), NOW);
    expect(state.flash.active).toBe(active);
    expect(state.trial?.boots).toBe(active === 2 ? 1 : undefined);
    expect(state.rows['Device.DeviceInfo.']).toEqual({ FriendlyName: 'Bus' });
  });

  it('a factory reset does not prove software on trial', () => {
    const state = afterFactoryReset(onTrial(), 'r', 'RemoteFactoryReset');
    expect(state).toMatchObject({ job: null, trial: { kind: 'firmware', previous: 1 }, flash: { active: 2 } });
  });
});

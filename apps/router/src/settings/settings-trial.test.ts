import { expect, test } from 'vitest';
import { createManualScheduler } from '../platform/scheduler.ts';
import { factoryState } from '../state/state.ts';
import { createMemoryStore, type StateStore } from '../state/store.ts';
import { SettingsTrial } from './settings-trial.ts';

const APN = 'Device.Cellular.AccessPoint.1.';
const rowsWith = (apn: string) => ({ [APN]: { APN: apn } });

function setUp() {
  const scheduler = createManualScheduler();
  const memory = createMemoryStore({ ...factoryState({ firmware: '1.0.0', config: null }), rows: rowsWith('born') });
  const flash = { isBroken: false };
  const store: StateStore = {
    current: memory.current,
    commit(state) {
      if (flash.isBroken) throw new Error('no space');
      memory.commit(state);
    },
  };
  const logged: string[] = [];
  /** The settings with which it connected, and those that were announced. */
  const connected: unknown[] = [];
  const announced: unknown[] = [];
  const apn = () => store.current().rows[APN]?.['APN'];
  const trial = new SettingsTrial({
    store,
    scheduler,
    log: (_, event) => void logged.push(event),
    callHomeMs: 60_000,
    graceMs: 1_000,
    retryMs: 5_000,
    reconnect: () => void connected.push(apn()),
    changed: () => void announced.push(apn()),
  });
  const change = (next: string) => {
    trial.prepare(rowsWith('born'), rowsWith(next));
    store.commit({ ...store.current(), rows: rowsWith(next) });
    trial.follow();
  };
  return { scheduler, flash, trial, change, logged, connected, announced };
}

test('TPL-04-partial the router connects with the former settings once they are written, also where the first write fails', () => {
  const { scheduler, flash, change, logged, connected, announced } = setUp();
  change('noconn.apn');
  scheduler.advance(1_000);
  expect(connected).toEqual(['noconn.apn']);
  flash.isBroken = true;
  scheduler.advance(62_000);
  expect([connected, announced, logged]).toEqual([['noconn.apn'], [], ['state.not-written']]);
  flash.isBroken = false;
  scheduler.advance(5_000);
  expect([connected, announced]).toEqual([['noconn.apn', 'born'], ['born']]);
  expect(logged).toEqual(['state.not-written', 'settings.returned']);
  scheduler.advance(600_000);
  expect(connected).toHaveLength(2);
});

test('TPL-04-partial settings with which it reaches the cloud stay', () => {
  const { scheduler, trial, change, connected, announced } = setUp();
  change('good.apn');
  scheduler.advance(1_000);
  trial.calledHome();
  scheduler.advance(600_000);
  expect([connected, announced]).toEqual([['good.apn'], []]);
});

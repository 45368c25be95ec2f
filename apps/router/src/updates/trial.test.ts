import { expect, test } from 'vitest';
import { createManualScheduler } from '../platform/scheduler.ts';
import { Trial } from './trial.ts';

function startTrial() {
  const scheduler = createManualScheduler();
  const network = { hasCoverage: true };
  const ends: string[] = [];
  const trial = new Trial({
    scheduler,
    callHomeMs: 1_000,
    hasCoverage: () => network.hasCoverage,
    passed: () => void ends.push('passed'),
    failed: () => void ends.push('failed'),
  });
  trial.start();
  return { scheduler, network, trial, ends };
}

test('GRP-10-partial new software has the whole time limit once a network is back, and fails without a call then', () => {
  const { scheduler, network, trial, ends } = startTrial();
  network.hasCoverage = false;
  scheduler.advance(4_900);
  network.hasCoverage = true;
  trial.onCoverageRestored();
  scheduler.advance(999);
  expect(ends).toEqual([]);
  scheduler.advance(1);
  expect(ends).toEqual(['failed']);
});

test('GRP-10-partial software with which no network is ever found is replaced, as with one that comes and goes', () => {
  const without = startTrial();
  without.network.hasCoverage = false;
  without.scheduler.advance(10_999);
  expect(without.ends).toEqual([]);
  without.scheduler.advance(1);
  expect(without.ends).toEqual(['failed']);
  const changing = startTrial();
  for (let times = 0; times < 30; times++) {
    changing.scheduler.advance(500);
    changing.trial.onCoverageRestored();
  }
  expect(changing.ends).toEqual(['failed']);
});

test('GRP-10-partial software that has called home does not fail later, however long it takes to store that', () => {
  const { scheduler, trial, ends } = startTrial();
  scheduler.advance(999);
  trial.calledHome();
  scheduler.advance(60_000);
  trial.onCoverageRestored();
  scheduler.advance(60_000);
  expect(ends).toEqual(['passed']);
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import { defaultOptions } from './cases.ts';
import { readCommand } from './command.ts';
import { fuzz } from './run.ts';
import { startSubject, type Subject } from './subject.ts';

// A short run of each target against a separate server process. Time limits are generous: a hang is a fault, and slowness is
// measured manually (`npm run fuzz`).

const counts = { api: 600, usp: 800, csv: 80, tunnel: 40 };
/** The long run has the figure in milliseconds: `npm run fuzz -- limits`. */
const STEP_CEILINGS = 6;
const targets = ['api', 'usp', 'csv', 'tunnel'] as const;

let subject: Subject;
beforeAll(async () => {
  subject = await startSubject();
});
afterAll(() => subject?.close());

test.each(targets)('SEC-FUZZ %s: generated input ends no process, causes no fault of ours and hangs nothing', async (target) => {
  const options = {
    ...defaultOptions,
    seed: 20_261_122,
    count: counts[target],
    largest: 200_000,
    slowCallMs: 60_000,
    slowLivezMs: 60_000,
  };
  const report = await fuzz(subject, target, options, { connections: 20, routers: 160 });
  expect(report.findings, report.lines().join('\n')).toEqual([]);
  expect(report.cases).toBeGreaterThan(counts[target] / 2);
});

test('SEC-FUZZ limits: no way into the server holds it for much longer than it takes to parse the most that a body may hold', async () => {
  const options = {
    ...defaultOptions,
    seed: 20_261_126,
    isBrief: true,
    largest: 400_000,
    count: Number.MAX_SAFE_INTEGER,
    slowCallMs: 60_000,
    slowLivezMs: 60_000,
    slowStepMs: 60_000,
  };
  const report = await fuzz(subject, 'limits', options, { connections: 0, routers: 0 });
  const lines = report.lines().join('\n');
  expect(report.findings, lines).toEqual([]);
  expect(report.cases).toBeGreaterThan(100);
  // Both of the same process and in processor time, so that a slow or busy machine changes nothing.
  expect(report.longestStep.ms / (await subject.ceilingMs()), lines).toBeLessThan(STEP_CEILINGS);
});

test('a run is described by its command line, and anything else is rejected', () => {
  const command = readCommand(['usp', '--count', '5', '--seed', '7', '--memory', '100']);
  expect(command).toMatchObject({ target: 'usp', options: { count: 5, seed: 7, mostMemory: 104_857_600 } });
  expect([['usp', '--count', 'x'], ['all'], [], ['api', '--other', '1']].map((args) => readCommand(args))).toEqual(
    Array(4).fill(undefined),
  );
});

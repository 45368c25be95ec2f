import { describe, expect, it } from 'vitest';
import { type CrashPoint, type CrashRunKind, runUpdateWithCrash } from '../testing/crash-harness.ts';

// Ten of the points that `crashPoints` enumerates; run all of them if you have the time.

const NOT_HOME = expect.stringMatching(/^did-not-call-home/u);

describe('GRP-10-partial kill -9 of a router process during an update, and it ends as if nothing had happened', () => {
  it.concurrent.each<[CrashRunKind, CrashPoint, string, unknown]>([
    ['firmware', { moment: 'before', write: 3 }, '3.0.0', ''],
    ['firmware', { moment: 'after', write: 3 }, '3.0.0', ''],
    ['firmware', { bytes: 70_000 }, '3.0.0', ''],
    ['firmware', { moment: 'after', write: 6 }, '3.0.0', ''],
    ['firmware', { moment: 'before', write: 8 }, '3.0.0', ''],
    ['firmware', { moment: 'after', write: 8 }, '3.0.0', ''],
    ['bad-firmware', { moment: 'after', write: 8 }, '2.1.0', NOT_HOME],
    ['bad-firmware', { moment: 'after', write: 9 }, '2.1.0', NOT_HOME],
    ['config', { moment: 'after', write: 6 }, 'depot.cfg', ''],
    ['bad-config', { moment: 'after', write: 7 }, 'city.json', NOT_HOME],
  ])('%s, %j: %s is active', async (kind, cut, active, end) => {
    const run = await runUpdateWithCrash(kind, cut);
    expect(run).toMatchObject({ processes: 2, active, openRequests: '0' });
    for (const reported of run.ends) expect(reported).toEqual(end);
  });
});

import { describe, expect, it } from 'vitest';
import { type WalkCut, type WalkKind, walkUpdate } from '../testing/kill-walk.ts';

// Ten of the moments that `walkCuts` enumerates; all of them are walked by who has the time.

const NOT_HOME = expect.stringMatching(/^did-not-call-home/u);

describe('GRP-10-partial kill -9 of a router process in mid-update, and it ends as if nothing had happened', () => {
  it.concurrent.each<[WalkKind, WalkCut, string, unknown]>([
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
  ])('%s, %j: %s is in force', async (kind, cut, inForce, end) => {
    const walked = await walkUpdate(kind, cut);
    expect(walked).toMatchObject({ processes: 2, inForce, openRequests: '0' });
    for (const told of walked.ends) expect(told).toEqual(end);
  });
});

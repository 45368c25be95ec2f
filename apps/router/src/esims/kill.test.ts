import { describe, expect, it } from 'vitest';
import {
  type EsimCrashPoint,
  type EsimCrashRun,
  type EsimCrashRunKind,
  SECOND,
  runEsimsWithCrash,
} from '../testing/esim-crash-harness.ts';

/** Concurrent runs. */
const AT_ONCE = 8;

const EXPECTED: Readonly<Record<EsimCrashRunKind, Partial<EsimCrashRun>>> = {
  all: { ends: { download: ['done'], enable: ['done'], delete: ['done'] }, onChip: [], inUse: '' },
  nowhere: { ends: { enable: [expect.stringMatching(/^activation-failed: /u) as string] }, onChip: [SECOND], inUse: '' },
  last: { ends: { delete: ['done'] }, onChip: [], inUse: '' },
};

describe('SIM-10-partial a router loses power at any write of its eSIM commands', () => {
  it.each<EsimCrashRunKind>(['all', 'nowhere', 'last'])(
    '%s: it reconnects over some profile, and reports how each command ended',
    async (kind) => {
      const undisturbed = await runEsimsWithCrash(kind);
      expect(undisturbed).toMatchObject({ ...EXPECTED[kind], starts: 1, isReached: true, openRequests: 0 });
      const cuts = Array.from({ length: undisturbed.writes }, (_, at): EsimCrashPoint[] => [
        { moment: 'before', write: at + 1 },
        { moment: 'after', write: at + 1 },
      ]).flat();
      const runs = await inParallel(cuts, (cut) => runEsimsWithCrash(kind, cut));
      runs.forEach((each, at) => {
        expect({ cut: cuts[at], ...each }).toMatchObject({ ...EXPECTED[kind], starts: 2, isReached: true, openRequests: 0 });
      });
    },
  );
});

async function inParallel<T, R>(items: readonly T[], act: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const worker = async () => {
    for (let at = next++; at < items.length; at = next++) results[at] = await act(items[at]!);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return results;
}

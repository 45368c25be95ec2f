import { describe, expect, it } from 'vitest';
import { type EsimWalkCut, type EsimWalked, type EsimWalkKind, SECOND, walkEsims } from '../testing/esim-walk.ts';

/** Walks going on at the same time. */
const AT_ONCE = 8;

const EXPECTED: Readonly<Record<EsimWalkKind, Partial<EsimWalked>>> = {
  all: { ends: { download: ['done'], enable: ['done'], delete: ['done'] }, onChip: [], inUse: '' },
  nowhere: { ends: { enable: [expect.stringMatching(/^activation-failed: /u) as string] }, onChip: [SECOND], inUse: '' },
  last: { ends: { delete: ['done'] }, onChip: [], inUse: '' },
};

describe('SIM-10-partial a router loses power at any write of what it does with profiles', () => {
  it.each<EsimWalkKind>(['all', 'nowhere', 'last'])(
    '%s: it comes back over some profile, and tells how each ended',
    async (kind) => {
      const undisturbed = await walkEsims(kind);
      expect(undisturbed).toMatchObject({ ...EXPECTED[kind], starts: 1, isReached: true, openRequests: 0 });
      const cuts = Array.from({ length: undisturbed.writes }, (_, at): EsimWalkCut[] => [
        { moment: 'before', write: at + 1 },
        { moment: 'after', write: at + 1 },
      ]).flat();
      const walked = await inTurns(cuts, (cut) => walkEsims(kind, cut));
      walked.forEach((each, at) => {
        expect({ cut: cuts[at], ...each }).toMatchObject({ ...EXPECTED[kind], starts: 2, isReached: true, openRequests: 0 });
      });
    },
  );
});

async function inTurns<T, R>(items: readonly T[], act: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const worker = async () => {
    for (let at = next++; at < items.length; at = next++) results[at] = await act(items[at]!);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return results;
}

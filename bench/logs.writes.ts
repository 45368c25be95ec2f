import type { Tx } from '@highline/testkit/database';
import { recordAudit } from '../apps/server/src/domains/logs/index.ts';
import { newId } from '../apps/server/src/kernel/ids.ts';
import { announce } from '../apps/server/src/platform/outbox/announce.ts';
import { openParts, type BenchDatabase } from './cluster.ts';
import type { BigOrganization } from './devices.seed.ts';
import { figureOf, inTurn } from './compare.ts';
import { timed } from './measure.ts';
import { printTable, type Figure } from './table.ts';

const ROUNDS = 400;
const WRITERS = 8;
const actor = { accountId: null, email: 'person-1@bench.example', role: 'admin', address: '192.0.2.1' };

/** The same write with and without its entry: alone, and by eight concurrent writers of one log, who wait for its head. */
export async function measureWrites(database: BenchDatabase, { organizationId, mainAccountId }: BigOrganization): Promise<void> {
  const { deps, close } = await openParts(database, WRITERS);
  const store = deps.database;
  const scope = { kind: 'organization', organizationId, mainAccountId } as const;
  let note = 0;
  const change = async (tx: Tx) => {
    note += 1;
    await tx
      .updateTable('groups')
      .set({ description: `Note ${note}` })
      .where('organization_id', '=', organizationId)
      .execute();
    await announce(tx, scope, 'groups', []);
  };
  const bare = () => store.write(change);
  const logged = () =>
    store.write(async (tx) => {
      await change(tx);
      const subject = { kind: 'device', id: newId() };
      await recordAudit(tx, organizationId, actor, { action: `Changed note ${note}`, subject, detail: { after: { note } } });
    });
  const figures = [
    figureOf('one change, with and without its entry', await inTurn({ ours: logged, raw: bare }, ROUNDS)),
    await together(logged, bare),
  ];
  await close();
  printTable('Cost of an entry per write', figures, [
    'Ceiling: the same transaction (an update and its outbox row) without the entry.',
  ]);
}

async function together(ours: () => Promise<unknown>, raw: () => Promise<unknown>): Promise<Figure> {
  const perSecond = async (write: () => Promise<unknown>) => {
    const writer = async () => {
      for (let round = 0; round < ROUNDS / 4; round += 1) await write();
    };
    const took = await timed(() => Promise.all(Array.from({ length: WRITERS }, writer)));
    return ((WRITERS * ROUNDS) / 4 / took) * 1_000;
  };
  const [mine, theirs] = [await perSecond(ours), await perSecond(raw)];
  return { name: `changes per second, ${WRITERS} writers of one log`, unit: '/s', ours: [mine], raw: [theirs] };
}

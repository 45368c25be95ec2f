import { webhooks } from '@highline/contract';
import { ask } from '@highline/testkit/calls';
import { deliverEvents, newId, type OrganizationScope } from '@highline/testkit/webhooks';
import { startChild } from './child.ts';
import { openParts, seedOrganization, startHighline, type BenchDatabase, type Cluster } from './cluster.ts';
import { killInTurn, MISSING_AFTER_MS, waitUntil, type Kept } from './kill.ts';
import { options } from './options.ts';
import type { WebhookReceiverResponses } from './webhooks.receiver.ts';

/** Events of one transaction, and delivered ones between two kills. */
const EVENTS = 20;
const DELIVERED = options.short ? 100 : 1_000;

/** The receiver is on this machine. */
const RECEIVER = { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1' };

/** Events that were recorded: each reaches the receiver, those under way at a kill perhaps twice, with the same id. */
export async function killWebhooks(cluster: Cluster): Promise<Kept[]> {
  const database = await cluster.open('kill_webhooks');
  const receiver = await startChild<WebhookReceiverResponses>('webhooks.receiver.ts');
  const { main, organizationId, admin } = await seedOrganization(database);
  const server = await startHighline(cluster, database, RECEIVER);
  const url = `${await receiver.ask('url')}/0`;
  await ask(server.url + webhooks.createWebhook.path, {
    bearer: admin.bearer,
    body: { name: 'Program', url, events: ['alert.fired'] },
  });
  const recorder = await recordEvents(database, { kind: 'organization', mainAccountId: main.mainAccountId, organizationId });
  const last = await killInTurn(cluster, {
    database,
    server,
    settings: RECEIVER,
    count: async () => (await receiver.ask('received')).different,
    step: DELIVERED,
  });
  const recorded = await recorder.stop();
  const messages = await messagesOf(database, recorded);
  const found = async () => {
    const received = new Set(await receiver.ask('ids'));
    return messages.filter((id) => received.has(id)).length;
  };
  await waitUntil(async () => (await found()) === messages.length, MISSING_AFTER_MS);
  const kept = { what: 'events recorded and received', acknowledged: recorded.length, found: await found() };
  await last.stop();
  await receiver.stop();
  await database.close();
  return [kept];
}

/** Record events all the while. @returns a function that ends it: the ids of those that were committed */
async function recordEvents(database: BenchDatabase, scope: OrganizationScope) {
  const { deps, close } = await openParts(database, 2);
  const recorded: string[] = [];
  const end = new AbortController();
  const running = (async () => {
    while (!end.signal.aborted) {
      const ids = Array.from({ length: EVENTS }, () => newId());
      await deps.database
        .write((tx) => deliverEvents(tx, scope, ids.map(eventOf)))
        .then(
          () => recorded.push(...ids),
          () => undefined,
        );
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  })();
  return {
    async stop(): Promise<string[]> {
      end.abort();
      await running;
      await close();
      return recorded;
    },
  };
}

const eventOf = (alert: string) => ({
  type: 'alert.fired' as const,
  data: { alert, rule: 'Weak signal', severity: 'warning', summary: 'Weak signal: -101 dBm', by: null },
  happenedAt: new Date(),
});

/** Header webhook-id of each of these events. */
async function messagesOf({ owner }: BenchDatabase, recorded: readonly string[]): Promise<string[]> {
  const { rows } = await owner.query<{ id: string }>(
    "select 'msg_' || replace(id::text, '-', '') as id from webhook_deliveries where data ->> 'alert' = any ($1)",
    [recorded],
  );
  return rows.map(({ id }) => id);
}

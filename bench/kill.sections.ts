import { webhooks } from '@highline/contract';
import { ask } from '@highline/testkit/calls';
import { deliverEvents, newId, type OrganizationScope } from '@highline/testkit/webhooks';
import { startChild } from './child.ts';
import { openParts, seedOrganization, startHighline, type BenchDatabase, type Cluster } from './cluster.ts';
import { killPace, killReports } from './kill.reports.ts';
import { killInTurn, printKept, waitUntil, type Kept } from './kill.ts';
import { options } from './options.ts';
import { CONFIG_BYTES } from './rollouts.ts';
import { bindFile } from './rollouts.run.ts';
import { openRolloutFixture } from './rollouts.seed.ts';
import type { WebhookReceiverResponses } from './webhooks.receiver.ts';

const TARGETS = options.routers ?? (options.short ? 20 : 300);
/** Events of one transaction, and delivered ones between two kills. */
const EVENTS = 20;
const DELIVERED = options.short ? 100 : 1_000;

/** The receiver is on this machine. */
const RECEIVER = { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1' };
/** What is not there after this long is missing. */
const MOST_MS = 180_000;

const kinds: Readonly<Record<string, (cluster: Cluster) => Promise<readonly Kept[]>>> = {
  alerts: (cluster) => killReports(cluster, 'alerts', ['readings'], true),
  pace: killPace,
  positions: (cluster) => killReports(cluster, 'positions', ['positions']),
  rollouts: killRollout,
  telemetry: (cluster) => killReports(cluster, 'telemetry', ['readings']),
  usage: (cluster) => killReports(cluster, 'usage', ['counters of data used']),
  webhooks: killWebhooks,
};

/** The sections whose acknowledged work can be counted, while server and PostgreSQL are killed (`--kill`). */
export const killed: Readonly<Record<string, (cluster: Cluster) => Promise<void>>> = Object.fromEntries(
  Object.entries(kinds).map(([section, run]) => [section, async (cluster: Cluster) => printKept(section, await run(cluster))]),
);

/** A config file to a group: each router of an acknowledged bind gets it, once. */
async function killRollout(cluster: Cluster): Promise<Kept[]> {
  const fixture = await openRolloutFixture(cluster, 'kill_rollouts', [TARGETS]);
  const { database, fleet } = fixture;
  await bindFile(fixture, 'config', fixture.groups[0]!.key, await fixture.config(CONFIG_BYTES));
  const counted = (state: string) => async () => {
    const { rows } = await database.owner.query<{ n: number }>(`select count(*)::int as n from rollout_targets where ${state}`);
    return rows[0]!.n;
  };
  const [successful, open] = [
    counted("state = 'successful'"),
    counted("state not in ('successful', 'failed', 'rolled-back', 'unsupported')"),
  ];
  const last = await killInTurn(cluster, {
    database,
    server: fixture.server,
    count: successful,
    step: Math.floor(TARGETS / 6),
  });
  await waitUntil(async () => (await open()) === 0, MOST_MS);
  const found = await successful();
  await fleet.stop();
  await last.stop();
  await database.close();
  return [{ what: 'routers of a bound config file that have it', acknowledged: TARGETS, found }];
}

/** Events that were recorded: each reaches the receiver, those under way at a kill perhaps twice, with the same id. */
async function killWebhooks(cluster: Cluster): Promise<Kept[]> {
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
  await waitUntil(async () => (await found()) === messages.length, MOST_MS);
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

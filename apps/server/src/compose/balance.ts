import { sql } from 'kysely';
import { Balance, defaultBalance, type BalanceSettings, type ServerNode } from '../platform/nodes/index.ts';
import type { Job } from '../platform/jobs/runner.ts';
import type { Database, Queries } from '../platform/ports/database.ts';
import type { Log } from '../platform/ports/log.ts';
import type { Gateway } from '../transport/usp/index.ts';

export interface RouterBalanceSettings extends BalanceSettings {
  /** Only routers that were idle for so many milliseconds. */
  readonly idleMs: number;
  readonly everyMs: number;
}

export interface RouterBalanceDeps {
  readonly node: Pick<ServerNode, 'stats'>;
  readonly gateway: Pick<Gateway, 'stats' | 'idle' | 'sendElsewhere'>;
  readonly database: Pick<Database, 'read'>;
  readonly log: Log;
  readonly settings?: Partial<RouterBalanceSettings>;
}

export interface RouterBalance {
  readonly job: Job;
  /** Routers that were requested to connect elsewhere, since the start. */
  readonly sent: () => number;
}

/** So many are looked at for each one that is sent away, since some of them are busy. */
const LOOKED_AT = 4;

/** After a restart of the other processes this one has most routers: some of them reconnect, a few a second. */
export function createRouterBalance({ node, gateway, database, log, settings }: RouterBalanceDeps): RouterBalance {
  const { idleMs, everyMs, ...rest } = { ...defaultBalance, idleMs: 20_000, everyMs: 1_000, ...settings };
  const balance = new Balance(rest);
  let sent = 0;

  const say = (event: 'begun' | 'ended' | 'without effect' | undefined, routers: number, routersOfOthers: unknown) => {
    const fields = { routers, routersOfOthers };
    if (event === 'begun') log.info(fields, 'This process has more routers than the others: some of them are to connect again.');
    if (event === 'ended') log.info({ ...fields, sent }, 'Routers have moved to other processes.');
    if (event === 'without effect')
      log.warn(
        { ...fields, sent },
        'Routers that were to connect elsewhere came back to this process. Let the proxy lead them to the process with the fewest connections.',
      );
  };

  return {
    job: {
      name: 'router balance',
      everyMs,
      async run() {
        const { connected } = gateway.stats();
        const { routersOfOthers } = node.stats();
        const { count, event } = balance.next(connected, routersOfOthers, performance.now());
        say(event, connected, routersOfOthers);
        if (count === 0) return;
        const idle = gateway.idle(count * LOOKED_AT, idleMs);
        const busy = await readBusy(database.read, idle);
        const chosen = idle.filter((id) => !busy.has(id)).slice(0, count);
        gateway.sendElsewhere(chosen);
        balance.sent(chosen.length);
        sent += chosen.length;
      },
    },
    sent: () => sent,
  };
}

/** Which of these routers install a file or an eSIM profile, or have an open shell or web page. */
export async function readBusy(queries: Queries, routerIds: readonly string[]): Promise<ReadonlySet<string>> {
  if (routerIds.length === 0) return new Set();
  const { rows } = await sql<{ id: string }>`
    select router_id as id from remote_sessions where router_id = any (${routerIds}::uuid[]) and ended_at is null
    union select router_id from rollout_targets where router_id = any (${routerIds}::uuid[])
      and (state in ('downloading', 'verifying', 'applying', 'rebooting') or download_since is not null)
    union select router_id from esim_profiles where router_id = any (${routerIds}::uuid[]) and step_begun_at is not null`.execute(
    queries,
  );
  return new Set(rows.map(({ id }) => id));
}

import { rejectionsOfOpen, type RejectionReason } from '@highline/contract';
import { sql } from 'kysely';
import type { Deps } from '../../platform/ports/deps.ts';
import { announceRouters } from './announce-routers.ts';
import { SHARED } from './rejection.queries.ts';
import { createUsedCredentials, type AcceptedRouter } from './used-credentials.ts';
import type { Tx } from '../../platform/ports/database.ts';
import { sanitizeLine } from '../../kernel/sanitize-device-text.ts';
import type { Row } from '../../platform/ports/tables.ts';

/** A rejected connection attempt of a known router: its secret was right, something else was not. */
export interface RejectedConnection {
  readonly reason: RejectionReason;
  /** The wrong value that the router sent: an endpoint id, a controller id … Untrusted; sanitized here. */
  readonly received?: string | undefined;
  /** The remote address. */
  readonly address: string;
}

/** Stores the last rejected attempt of each router, until it connects. */
export interface Rejections {
  rejected(routerId: string, rejection: RejectedConnection): void;
  /** The router connected, so its rejection is outdated. What it used of its credentials is stored in any case. */
  accepted(router: AcceptedRouter): void;
  /** Its connection has lasted for a while: what ended earlier ones after their introduction is outdated too. */
  kept(routerId: string): void;
  flush(): Promise<void>;
  stop(): Promise<void>;
}

export interface RejectionsDeps extends Pick<Deps, 'database' | 'clock' | 'log'> {
  /** Attempts are collected for this time and written together; of one router only the last counts. */
  readonly collectMs?: number;
}

interface Attempt extends RejectedConnection {
  readonly at: Date;
}

interface Acceptance {
  readonly at: Date;
  readonly isKept: boolean;
}

const LONGEST = 200;
/** Routers per statement. */
const BATCH = 1_000;

/**
 * One row per router. Routers that are rejected repeatedly in the same way cost one write a minute: the gateway limits how often
 * one router may try, and a newer attempt replaces the collected one.
 */
export function createRejections({ database, clock, log, collectMs = 1_000 }: RejectionsDeps): Rejections {
  let pending = new Map<string, Attempt | Acceptance>();
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();
  const credentials = createUsedCredentials({ database, log });

  const write = async (changes: ReadonlyMap<string, Attempt | Acceptance>) => {
    const entries = [...changes];
    try {
      for (let start = 0; start < entries.length; start += BATCH)
        await database.write((tx) => writeBatch(tx, entries.slice(start, start + BATCH)));
    } catch (error) {
      log.warn({ err: error, routers: entries.length }, 'Failed to store rejected connections.');
    }
  };
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    const changes = pending;
    pending = new Map();
    if (changes.size > 0) writing = writing.then(() => write(changes));
    return writing;
  };
  const add = (routerId: string, attempt: Attempt | Acceptance) => {
    const before = pending.get(routerId);
    const isOutdated = before === undefined || 'reason' in attempt || !('reason' in before) || !lasting(before.reason);
    if (isOutdated) pending.set(routerId, attempt);
    timer ??= setTimeout(() => void flush(), collectMs);
  };
  return {
    rejected: (routerId, rejection) => add(routerId, { ...rejection, at: clock.now() }),
    accepted(router) {
      const at = clock.now();
      credentials.used({ ...router, at });
      add(router.routerId, { at, isKept: false });
    },
    kept: (routerId) => add(routerId, { at: clock.now(), isKept: true }),
    flush,
    async stop() {
      await flush();
      await credentials.stop();
    },
  };
}

/** Reasons that a new connection alone does not outdate; two routers with one identity connect all the time. */
const lastingReasons: readonly RejectionReason[] = [...rejectionsOfOpen, 'identity-shared'];
const lasting = (reason: RejectionReason): boolean => lastingReasons.includes(reason);

async function writeBatch(tx: Tx, changes: readonly (readonly [string, Attempt | Acceptance])[]): Promise<void> {
  const accepted = changes.flatMap(([id, change]) => ('reason' in change ? [] : [{ id, ...change }]));
  const rejected = changes.flatMap(([id, change]) => ('reason' in change ? [{ id, ...change }] : []));
  const changed: string[] = [];
  if (accepted.length > 0) {
    const { rows } = await sql<Row<'router_rejections', 'router_id'>>`
      delete from router_rejections t
      using unnest(${accepted.map(({ id }) => id)}::uuid[], ${accepted.map(({ isKept }) => isKept)}::boolean[]) as n (id, is_kept)
      where t.router_id = n.id and (t.reason <> all (${[...lastingReasons]}::text[])
        or n.is_kept and (t.reason <> 'identity-shared' or t.at < now() - ${SHARED}::interval))
      returning t.router_id`.execute(tx);
    changed.push(...rows.map(({ router_id: id }) => id));
  }
  if (rejected.length > 0) {
    // The router may have been removed from the inventory meanwhile.
    const { rows } = await sql<Row<'router_rejections', 'router_id'>>`
      insert into router_rejections as t (router_id, at, reason, received, address)
      select r.id, n.at, n.reason, n.received, n.address
      from unnest(${rejected.map(({ id }) => id)}::uuid[], ${rejected.map(({ at }) => at.toISOString())}::timestamptz[],
        ${rejected.map(({ reason }) => reason)}::text[], ${rejected.map(({ received }) => textOf(received))}::text[],
        ${rejected.map(({ address }) => textOf(address) ?? '')}::text[]) as n (id, at, reason, received, address)
      join routers r on r.id = n.id order by r.id for key share of r
      on conflict (router_id) do update
      set at = excluded.at, reason = excluded.reason, received = excluded.received, address = excluded.address
      where (t.reason, t.received, t.address) is distinct from (excluded.reason, excluded.received, excluded.address)
        or t.at < excluded.at - interval '1 minute'
      returning router_id`.execute(tx);
    changed.push(...rows.map(({ router_id: id }) => id));
  }
  await announceRouters(tx, changed);
}

function textOf(text: string | undefined): string | null {
  return text === undefined ? null : sanitizeLine(text, LONGEST);
}

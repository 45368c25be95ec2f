import { sql } from 'kysely';
import { DomainError, type MainScope } from '../../kernel/index.ts';
import type { Deps } from '../../platform/ports/deps.ts';

/** How many routers that are registered elsewhere a main account may enter within the window. */
export const MOST_COLLISIONS = 50;
const WINDOW_MS = 3_600_000;

export type CollisionDeps = Pick<Deps, 'database' | 'clock' | 'log'>;

/**
 * Reject a main account that entered too many routers that are registered elsewhere. Checked before anything is entered:
 * otherwise success and failure would keep revealing what others have.
 * @throws DomainError `inventory.too_many_collisions`
 */
export async function assertMayEnter({ database, clock }: CollisionDeps, { mainAccountId }: MainScope): Promise<void> {
  const now = clock.now();
  const row = await database.read
    .selectFrom('rate_windows')
    .select(['hits', 'ends_at'])
    .where('key', '=', keyOf(mainAccountId))
    .executeTakeFirst();
  if (row === undefined || row.ends_at <= now || row.hits < MOST_COLLISIONS) return;
  throw tooMany(row.ends_at.getTime() - now.getTime());
}

/**
 * Count routers that are registered elsewhere, and log them.
 * @throws DomainError `inventory.too_many_collisions` if there are so many at once that the response would be a list of what others
 * have
 */
export async function countCollisions({ database, clock, log }: CollisionDeps, scope: MainScope, count: number): Promise<void> {
  if (count === 0) return;
  const now = clock.now();
  const ends = new Date(now.getTime() + WINDOW_MS);
  await database.write((tx) =>
    sql`insert into rate_windows as w (key, hits, ends_at) values (${keyOf(scope.mainAccountId)}, ${count}, ${ends})
      on conflict (key) do update set
        hits = case when w.ends_at <= ${now} then excluded.hits else least(w.hits + excluded.hits, 1000000) end,
        ends_at = case when w.ends_at <= ${now} then excluded.ends_at else w.ends_at end`.execute(tx),
  );
  log.warn({ mainAccountId: scope.mainAccountId, routers: count }, 'Rejected routers that are registered elsewhere.');
  if (count > MOST_COLLISIONS) throw tooMany(WINDOW_MS);
}

function keyOf(mainAccountId: string): string {
  return `inventory-elsewhere ${mainAccountId}`;
}

function tooMany(milliseconds: number): DomainError {
  const wait = Math.max(1, Math.ceil(milliseconds / 1_000));
  return new DomainError('inventory.too_many_collisions', { retryAfter: wait, detail: { wait } });
}

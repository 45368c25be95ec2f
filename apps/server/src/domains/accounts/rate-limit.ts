import { sql } from 'kysely';
import { DomainError } from '../../failure.ts';
import type { Database } from '../../ports/database.ts';

/** A limit: so many tries in a window of so many seconds. */
export interface Limit {
  readonly name: string;
  readonly hits: number;
  readonly seconds: number;
}

/**
 * Two limits guard a sign-in. The tight one counts tries at one account FROM ONE ADDRESS, so that a stranger elsewhere cannot
 * lock its owner out; the wide ones count tries at an account from everywhere, and tries of an address at all accounts.
 * The wide account limit slows a distributed guesser and is high enough that only an attack reaches it.
 */
export const limits = {
  signInHere: { name: 'sign-in-here', hits: 8, seconds: 300 },
  signInAddress: { name: 'sign-in-address', hits: 60, seconds: 300 },
  signInAccount: { name: 'sign-in-account', hits: 100, seconds: 900 },
  forgotAccount: { name: 'forgot-account', hits: 3, seconds: 900 },
  forgotAddress: { name: 'forgot-address', hits: 20, seconds: 900 },
  resetAddress: { name: 'reset-address', hits: 20, seconds: 900 },
} as const satisfies Record<string, Limit>;

/**
 * Count one try, in the database, so that the limit holds over restarts and over several servers.
 * @throws DomainError `account.too_many_tries` with the seconds to wait in `detail.wait`
 */
export async function countTry(database: Database, limit: Limit, subject: string, now: Date): Promise<void> {
  const ends = new Date(now.getTime() + limit.seconds * 1000);
  const { rows } = await sql<{ hits: number; ends_at: Date }>`
    insert into rate_windows as w (key, hits, ends_at) values (${keyOf(limit, subject)}, 1, ${ends})
    on conflict (key) do update set
      hits = case when w.ends_at <= ${now} then 1 else least(w.hits + 1, 1000000) end,
      ends_at = case when w.ends_at <= ${now} then excluded.ends_at else w.ends_at end
    returning hits, ends_at`.execute(database.read);
  const row = rows[0]!;
  if (row.hits <= limit.hits) return;
  const wait = Math.max(1, Math.ceil((row.ends_at.getTime() - now.getTime()) / 1000));
  throw new DomainError('account.too_many_tries', { retryAfter: wait, detail: { wait } });
}

/** Forget the tries that led to a success. */
export async function forgetTries(database: Database, limit: Limit, subject: string): Promise<void> {
  await database.read.deleteFrom('rate_windows').where('key', '=', keyOf(limit, subject)).execute();
}

/** Windows that ended are worth nothing (retention). */
export async function purgeRateWindows(database: Database, now: Date): Promise<void> {
  await database.read.deleteFrom('rate_windows').where('ends_at', '<=', now).execute();
}

function keyOf(limit: Limit, subject: string): string {
  return `${limit.name}:${subject.slice(0, 400)}`;
}

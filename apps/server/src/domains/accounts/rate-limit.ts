import { isIPv4 } from 'node:net';
import { sql } from 'kysely';
import { DomainError } from '../../failure.ts';
import type { Database, Queries } from '../../ports/database.ts';

/** A limit: so many tries in a window of so many seconds. A window is not prolonged by what it refuses. */
interface Limit {
  readonly name: string;
  readonly hits: number;
  readonly seconds: number;
}

/**
 * Three limits guard a sign-in. The tight one counts tries at one account from one place. The other two are wide: tries from one
 * place at all accounts, and tries at one account from everywhere, which slows a guesser who has many addresses.
 *
 * Nobody can lock an owner out by guessing. A stranger reaches the tight limit of his own place first, and what it refuses does not
 * count against the account. A guesser with hundreds of places does reach the wide limit, but it does not hold at the places the
 * owner signed in from before; and from a new place the owner gets in by a mailed link, which makes that place one of them.
 *
 * Codes of a second factor are few, and whoever tries them knows the password: their limit holds over all places, and each place that
 * the owner signed in from has one of its own.
 *
 * A forgotten password is limited for each account, so that nobody's mailbox is flooded. Who uses that limit up for somebody else
 * has by that sent them links that work. An invitation sent again is limited likewise, apart from it. Setting a password needs no limit for each account: nobody guesses 256 random bits.
 */
export const limits = {
  signInHere: { name: 'sign-in-here', hits: 8, seconds: 300 },
  signInAddress: { name: 'sign-in-address', hits: 60, seconds: 300 },
  signInAccount: { name: 'sign-in-account', hits: 100, seconds: 900 },
  code: { name: 'code', hits: 10, seconds: 900 },
  forgotAccount: { name: 'forgot-account', hits: 3, seconds: 900 },
  forgotAddress: { name: 'forgot-address', hits: 20, seconds: 900 },
  invitation: { name: 'invitation', hits: 3, seconds: 900 },
  peopleOfActor: { name: 'people-created', hits: 300, seconds: 86_400 },
  resetAddress: { name: 'reset-address', hits: 20, seconds: 900 },
} as const satisfies Record<string, Limit>;

/** A place stays known for so long after the last sign-in from there. */
const KNOWN_MS = 90 * 86_400_000;

/**
 * Count one try, in the database, so that the limit holds over restarts and over several servers; before the work, so that many
 * at once are not more than one after another.
 * @throws DomainError `account.too_many_tries` with the seconds to wait in `detail.wait`
 */
export async function countTry(database: Database, limit: Limit, subject: string, now: Date): Promise<void> {
  const ends = new Date(now.getTime() + limit.seconds * 1000);
  const row = await database.write(async (tx) => {
    const { rows } = await sql<{ hits: number; ends_at: Date }>`
      insert into rate_windows as w (key, hits, ends_at) values (${keyOf(limit.name, subject)}, 1, ${ends})
      on conflict (key) do update set
        hits = case when w.ends_at <= ${now} then 1 else least(w.hits + 1, 1000000) end,
        ends_at = case when w.ends_at <= ${now} then excluded.ends_at else w.ends_at end
      returning hits, ends_at`.execute(tx);
    return rows[0]!;
  });
  if (row.hits <= limit.hits) return;
  const wait = Math.max(1, Math.ceil((row.ends_at.getTime() - now.getTime()) / 1000));
  throw new DomainError('account.too_many_tries', { retryAfter: wait, detail: { wait } });
}

/** Count one try to sign in at every limit that holds for it. @throws DomainError `account.too_many_tries` */
export async function countSignIn(database: Database, email: string, address: string, now: Date): Promise<void> {
  const place = placeOf(address);
  const isKnownHere = await isKnown(database.read, knownKey(email, place), now);
  // Many people share an address behind NAT: guesses at others there do not lock out who signed in from there before (decision 0019).
  if (!isKnownHere) await countTry(database, limits.signInAddress, place, now);
  await countTry(database, limits.signInHere, `${email} ${place}`, now);
  if (!isKnownHere) await countTry(database, limits.signInAccount, email, now);
}

/** Count one try at an account's second factor. @throws DomainError `account.too_many_tries` */
export async function countCode(database: Database, email: string, address: string, now: Date): Promise<void> {
  const place = placeOf(address);
  const isHome = await isKnown(database.read, homeKey(email, place), now);
  await countTry(database, limits.code, isHome ? `${email} ${place}` : email, now);
}

/**
 * Forget the tries that led to a success, and remember the place. The place's own window gets this one try back and no more: with an
 * account of one's own one could else guess at others without end.
 */
export async function settleSignIn(database: Database, email: string, address: string, now: Date): Promise<void> {
  const place = placeOf(address);
  await database.write(async (tx) => {
    // One that was known here was not counted, so there is nothing to give back.
    if (!(await isKnown(tx, knownKey(email, place), now)))
      await sql`update rate_windows set hits = greatest(hits - 1, 0) where key = ${keyOf(limits.signInAddress.name, place)}`.execute(
        tx,
      );
    // Only here: who reads the owner's mail gets new passwords, and must not get new tries at codes with them.
    const codes = [keyOf(limits.code.name, email), keyOf(limits.code.name, `${email} ${place}`)];
    await tx.deleteFrom('rate_windows').where('key', 'in', codes).execute();
    await remember(tx, homeKey(email, place), now);
    await rememberPlace(tx, email, place, now);
  });
}

/** Whoever set a password by a mailed link is the owner: no try of others stands in the way of signing in from here. */
export function trustPlace(tx: Queries, email: string, address: string, now: Date): Promise<void> {
  return rememberPlace(tx, email, placeOf(address), now);
}

async function rememberPlace(tx: Queries, email: string, place: string, now: Date): Promise<void> {
  const tries = [keyOf(limits.signInHere.name, `${email} ${place}`), keyOf(limits.signInAccount.name, email)];
  await tx.deleteFrom('rate_windows').where('key', 'in', tries).execute();
  await remember(tx, knownKey(email, place), now);
}

async function remember(tx: Queries, key: string, now: Date): Promise<void> {
  const until = new Date(now.getTime() + KNOWN_MS);
  await tx
    .insertInto('rate_windows')
    .values({ key, hits: 0, ends_at: until })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ ends_at: until }))
    .execute();
}

async function isKnown(queries: Queries, key: string, now: Date): Promise<boolean> {
  const row = await queries
    .selectFrom('rate_windows')
    .select('key')
    .where('key', '=', key)
    .where('ends_at', '>', now)
    .executeTakeFirst();
  return row !== undefined;
}

/** Windows that ended are worth nothing (retention). */
export async function purgeRateWindows(database: Database, now: Date): Promise<void> {
  await database.write((tx) => tx.deleteFrom('rate_windows').where('ends_at', '<=', now).execute());
}

/**
 * What counts as one place: an IPv4 address, or the /64 network of an IPv6 address, of which every household and every rented server
 * has all 2^64 addresses.
 */
export function placeOf(address: string): string {
  const last = address.slice(address.lastIndexOf(':') + 1);
  if (isIPv4(last) && /^(?:::ffff:)?[0-9.]+$/iu.test(address)) return last;
  if (!address.includes(':')) return address;
  const [left = '', right] = address.split('%', 1)[0]!.split('::');
  const groups = (text: string) => text.split(':').filter((group) => group !== '');
  const filled = right === undefined ? [] : Array.from({ length: 8 - groups(left).length - groups(right).length }, () => '0');
  const all = [...groups(left), ...filled, ...groups(right ?? '')];
  return `${all
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}

/** A place where somebody signed in or set a password by mail. */
const knownKey = (email: string, place: string) => keyOf('sign-in-known', `${email} ${place}`);
/** A place where somebody signed in; a mailed link alone makes none. */
const homeKey = (email: string, place: string) => keyOf('code-known', `${email} ${place}`);

function keyOf(name: string, subject: string): string {
  return `${name}:${subject.slice(0, 400)}`;
}

import { sql } from 'kysely';
import { DomainError, networkOf as addressKeyOf } from '../../kernel/index.ts';
import type { Database, Queries, Tx } from '../../platform/ports/database.ts';
import type { Row } from '../../platform/ports/tables.ts';

export { addressKeyOf };

/** A limit: a number of attempts in a window of seconds. Rejected attempts do not prolong the window. */
interface Limit {
  readonly name: string;
  readonly hits: number;
  readonly seconds: number;
}

/**
 * Three limits guard a sign-in. The tight one counts attempts at one account from one network. The other two are wide: attempts
 * from one network at all accounts, and attempts at one account from all networks, which slows a guesser with many addresses.
 *
 * Guessing cannot lock an owner out. A guesser first reaches the tight limit of their own network, and attempts it rejects do not
 * count against the account. A guesser with hundreds of networks does reach the wide limit, but it does not apply to the networks
 * the owner signed in from before; and from a new network the owner signs in with a mailed link, which makes that network a known
 * one.
 *
 * Codes of a second factor are few, and a guesser of codes knows the password: their limit applies over all networks, and each
 * network that the owner signed in from has its own. Each time it is reached the wait is longer, up to a day, and a success elsewhere
 * shortens no wait. Ten wrong codes within a day are mailed to the owner.
 *
 * Forgotten passwords are limited per account, so that no mailbox is flooded. Another person who uses up that limit has sent the
 * owner links that work. Repeated invitations have the same kind of limit of their own. Setting a password needs no limit per
 * account: 256 random bits cannot be guessed.
 */
export const limits = {
  signInHere: { name: 'sign-in-here', hits: 8, seconds: 300 },
  signInAddress: { name: 'sign-in-address', hits: 60, seconds: 300 },
  signInAccount: { name: 'sign-in-account', hits: 100, seconds: 900 },
  code: { name: 'code', hits: 10, seconds: 900 },
  /** How often the limit of codes was reached within a week. */
  codeRounds: { name: 'code-rounds', hits: 1_000, seconds: 7 * 86_400 },
  wrongCodes: { name: 'wrong-codes', hits: 10, seconds: 86_400 },
  /** Begun and finished sign-ins by identity providers, which check who it is: of whole offices behind one address. */
  providerAddress: { name: 'provider-address', hits: 1_200, seconds: 300 },
  /** Identity providers that end sessions: of everyone at once, if need be. */
  providerLogout: { name: 'provider-logout', hits: 6_000, seconds: 60 },
  /** Begun and finished sign-ins by passkey, which cannot be guessed: of whole offices behind one address. */
  passkeyAddress: { name: 'passkey-address', hits: 1_200, seconds: 300 },
  /** Mails about one passkey that was copied. */
  copiedPasskey: { name: 'copied-passkey', hits: 1, seconds: 86_400 },
  /** Calls of the directory of an organization. */
  directory: { name: 'directory', hits: 3_000, seconds: 60 },
  /** Tries without a valid secret of a directory, from one network. */
  directoryAddress: { name: 'directory-address', hits: 300, seconds: 300 },
  /** People whom the directory of an organization adds. */
  directoryPeople: { name: 'directory-people', hits: 20_000, seconds: 86_400 },
  /** Mails about a person whom a directory cannot deactivate. */
  directoryMail: { name: 'directory-mail', hits: 1, seconds: 86_400 },
  forgotAccount: { name: 'forgot-account', hits: 3, seconds: 900 },
  forgotAddress: { name: 'forgot-address', hits: 20, seconds: 900 },
  invitation: { name: 'invitation', hits: 3, seconds: 900 },
  testMail: { name: 'test-mail', hits: 10, seconds: 3_600 },
  peopleOfActor: { name: 'people-created', hits: 300, seconds: 86_400 },
  /** A page of an invitation is opened again and again. */
  openedAddress: { name: 'opened-address', hits: 60, seconds: 900 },
  resetAddress: { name: 'reset-address', hits: 20, seconds: 900 },
} as const satisfies Record<string, Limit>;

/** The wait after the first ten codes is 15 minutes, then an hour, four, sixteen, and a day. */
const LONGEST_CODE_WAIT_MS = 86_400_000;
const CODE_WAIT_GROWTH = 4;

/** How long a network stays known after the last sign-in from there. */
const KNOWN_MS = 90 * 86_400_000;

/**
 * Count one attempt, in the database, so that the limit applies over restarts and over several servers; before the work, so that
 * many at once count like one after another.
 * @throws DomainError `account.too_many_tries` with the seconds to wait in `detail.wait`
 */
export async function countTry(database: Database, limit: Limit, subject: string, now: Date): Promise<void> {
  const window = await database.write((tx) => addHit(tx, limit, subject, now));
  rejectBeyond(limit, window, now);
}

/**
 * Count people whose addresses an account enters, inside the transaction that enters them: what is rolled back is not counted.
 * @throws DomainError `account.too_many_tries` after some hundred in a day
 */
export async function countPerson(tx: Tx, accountId: string, now: Date, people = 1): Promise<void> {
  rejectBeyond(limits.peopleOfActor, await addHit(tx, limits.peopleOfActor, accountId, now, people), now);
}

/** Count one mail that a person sends to themselves as a test. @throws DomainError `account.too_many_tries` after ten in an hour */
export async function countTestMail(tx: Tx, accountId: string, now: Date): Promise<void> {
  rejectBeyond(limits.testMail, await addHit(tx, limits.testMail, accountId, now), now);
}

/**
 * Count several hits at once in a window that all processes share; the caller compares them with its limit.
 * @returns all hits of the window, with these, and its end
 */
export async function addHits(
  database: Database,
  limit: Limit,
  subject: string,
  hits: number,
  now: Date,
): Promise<{ readonly hits: number; readonly endsAt: Date }> {
  const window = await database.write((tx) => addHit(tx, limit, subject, now, hits));
  return { hits: window.hits, endsAt: window.ends_at };
}

type Window = Row<'rate_windows', 'hits' | 'ends_at'>;

async function addHit(tx: Tx, limit: Limit, subject: string, now: Date, by = 1): Promise<Window> {
  const ends = new Date(now.getTime() + limit.seconds * 1000);
  const { rows } = await sql<Window>`
    insert into rate_windows as w (key, hits, ends_at) values (${keyOf(limit.name, subject)}, ${by}::int, ${ends})
    on conflict (key) do update set
      hits = case when w.ends_at <= ${now} then ${by}::int else least(w.hits + ${by}::int, 1000000) end,
      ends_at = case when w.ends_at <= ${now} then excluded.ends_at else w.ends_at end
    returning hits, ends_at`.execute(tx);
  return rows[0]!;
}

function rejectBeyond(limit: Limit, row: Window, now: Date): void {
  if (row.hits <= limit.hits) return;
  const wait = Math.max(1, Math.ceil((row.ends_at.getTime() - now.getTime()) / 1000));
  throw new DomainError('account.too_many_tries', { retryAfter: wait, detail: { wait } });
}

/** Count one sign-in attempt at every limit that applies. @throws DomainError `account.too_many_tries` */
export async function countSignIn(database: Database, email: string, address: string, now: Date): Promise<void> {
  const network = addressKeyOf(address);
  const isKnownHere = await isKnown(database.read, knownKey(email, network), now);
  // Many users share an address behind NAT: guesses at others there do not lock out a user who signed in from there before
  // (docs/domains/accounts.md).
  if (!isKnownHere) await countTry(database, limits.signInAddress, network, now);
  await countTry(database, limits.signInHere, `${email} ${network}`, now);
  if (!isKnownHere) await countTry(database, limits.signInAccount, email, now);
}

/** Count one attempt at an account's second factor. @throws DomainError `account.too_many_tries` */
export async function countCode(database: Database, email: string, address: string, now: Date): Promise<void> {
  const network = addressKeyOf(address);
  const isHome = await isKnown(database.read, homeKey(email, network), now);
  const subject = isHome ? `${email} ${network}` : email;
  const window = await database.write(async (tx) => {
    const hit = await addHit(tx, limits.code, subject, now);
    if (hit.hits !== limits.code.hits) return hit;
    const { hits: rounds } = await addHit(tx, limits.codeRounds, subject, now);
    const wait = Math.min(limits.code.seconds * 1_000 * CODE_WAIT_GROWTH ** (rounds - 1), LONGEST_CODE_WAIT_MS);
    const ends_at = new Date(now.getTime() + wait);
    await tx.updateTable('rate_windows').set({ ends_at }).where('key', '=', keyOf(limits.code.name, subject)).execute();
    return { ...hit, ends_at };
  });
  rejectBeyond(limits.code, window, now);
}

/** Count one wrong code of an account. @returns whether its owner should know by now, once within a day */
export async function countWrongCode(tx: Tx, accountId: string, now: Date): Promise<boolean> {
  return (await addHit(tx, limits.wrongCodes, accountId, now)).hits === limits.wrongCodes.hits;
}

/**
 * Clear the attempts that led to a success, and store the network as known. The network's own window gets only this one attempt
 * back: otherwise a guesser could reset it with an account of their own.
 */
export async function clearSignInAttempts(database: Database, email: string, address: string, now: Date): Promise<void> {
  const network = addressKeyOf(address);
  await database.write(async (tx) => {
    // One that was known here was not counted, so there is nothing to give back.
    if (!(await isKnown(tx, knownKey(email, network), now)))
      await sql`update rate_windows set hits = greatest(hits - 1, 0) where key = ${keyOf(limits.signInAddress.name, network)}`.execute(
        tx,
      );
    // Only here: an attacker who reads the owner's mail can set passwords, and must not get new attempts at codes that way. Nor when the
    // owner signs in elsewhere: the window of all other networks gets back this attempt alone.
    const own = [limits.code, limits.codeRounds].map(({ name }) => keyOf(name, `${email} ${network}`));
    await tx.deleteFrom('rate_windows').where('key', 'in', own).execute();
    if (!(await isKnown(tx, homeKey(email, network), now)))
      await sql`update rate_windows set hits = greatest(hits - 1, 0) where key = ${keyOf(limits.code.name, email)}`.execute(tx);
    await markKnown(tx, homeKey(email, network), now);
    await storeNetwork(tx, email, network, now);
  });
}

/** Clear the attempts of a signed-in person whose own password was right: each of several acts needs it, and none is a guess. */
export async function clearOwnTries(database: Database, email: string, address: string): Promise<void> {
  const key = keyOf(limits.signInHere.name, `${email} ${addressKeyOf(address)}`);
  await database.write((tx) => tx.deleteFrom('rate_windows').where('key', '=', key).execute());
}

/** A user who set a password by a mailed link is the owner: attempts of others do not block signing in from here. */
export function trustNetwork(tx: Queries, email: string, address: string, now: Date): Promise<void> {
  return storeNetwork(tx, email, addressKeyOf(address), now);
}

async function storeNetwork(tx: Queries, email: string, network: string, now: Date): Promise<void> {
  const tries = [keyOf(limits.signInHere.name, `${email} ${network}`), keyOf(limits.signInAccount.name, email)];
  await tx.deleteFrom('rate_windows').where('key', 'in', tries).execute();
  await markKnown(tx, knownKey(email, network), now);
}

async function markKnown(tx: Queries, key: string, now: Date): Promise<void> {
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

/** Delete windows that have ended (retention). */
export async function purgeRateWindows(database: Database, now: Date): Promise<void> {
  await database.write((tx) => tx.deleteFrom('rate_windows').where('ends_at', '<=', now).execute());
}

/** A network where a user signed in or set a password by mail. */
const knownKey = (email: string, network: string) => keyOf('sign-in-known', `${email} ${network}`);
/** A network where a user signed in; a mailed link alone does not count. */
const homeKey = (email: string, network: string) => keyOf('code-known', `${email} ${network}`);

function keyOf(name: string, subject: string): string {
  return `${name}:${subject.slice(0, 400)}`;
}

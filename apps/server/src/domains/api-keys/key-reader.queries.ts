// Reads tables of other domains: accounts, organizations.
import { sql } from 'kysely';
import type { Right } from '@highline/contract';
import { DomainError, isAllowedByRole, required, type Actor } from '../../kernel/index.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import type { Queries, Tx } from '../../platform/ports/database.ts';
import {
  findAllowed,
  limitColumns,
  limitOf,
  mayActOn,
  type Allowed,
  ownRoleColumns,
  type LimitRow,
  type StoredLimit,
} from '../accounts/index.ts';
import { standingOfKey, type MakerRow } from './maker-role.ts';
import { plainAddress } from './ip-range.ts';
import { hashKey, isWellFormedKey, looksLikeKey } from './key-text.ts';

/** The last use of a key is written at most this often: a read must not cost a write. */
const TOUCH_MS = 300_000;

/** What a call by a key may do. */
export interface KeyCaller {
  readonly actor: Actor & { readonly key: Required<NonNullable<Actor['key']>> & { readonly operations: readonly string[] } };
  /** Ids of operations; of these, the role of the actor may forbid some. */
  readonly operations: ReadonlySet<string>;
}

/** Resolves API keys at each call, so that a revoked key, a changed role or a deleted organization counts at once (HKS-02). */
export interface KeyReader {
  /** Whether a bearer is an API key, whatever its state. */
  isKey(bearer: string): boolean;
  /** @throws DomainError `key.malformed`, `key.unknown`, `key.revoked`, `key.expired`, `key.suspended`, `key.network` */
  readKey(bearer: string, address: string): Promise<KeyCaller>;
  /** First step of each transaction of a call by a key: a key that was revoked meanwhile changes nothing more. @throws as `readKey` */
  admit(tx: Tx, sessionId: string): Promise<void>;
  /** The actor of a key by SHA-256 of it in hex; undefined once it is of no use. */
  readActor(sessionId: string): Promise<Actor | undefined>;
  /**
   * What the actor of a job or a plan may do now, without a session: the account by its role and organization; a key, whatever its
   * secret is now, by those of the account that it acts for now, and by its calls. Undefined = nothing.
   * @param right the call that does the same to one device
   */
  findAllowed(queries: Queries, actor: Actor, right: Right): Promise<Allowed | undefined>;
  /**
   * Whether the actor may act on one device; where what acts does not know which devices these are (undefined), only someone without a limit may.
   */
  mayAct(queries: Queries, actor: Actor, right: Right, deviceId?: string): Promise<boolean>;
}

interface FoundKey extends MakerRow, LimitRow {
  readonly key_limit: StoredLimit | null;
  readonly id: string;
  readonly main_account_id: string;
  readonly name: string;
  readonly hint: string;
  readonly operations: string[];
  readonly in_range: boolean;
  readonly made_by: string;
  readonly maker_email: string | null;
  readonly maker_name: string | null;
  readonly expires_at: Date | null;
  readonly revoked_at: Date | null;
  readonly last_used_at: Date | null;
  readonly deleted_at: Date | null;
}

export function createKeyReader({ database, clock }: Pick<Deps, 'database' | 'clock'>): KeyReader {
  /** Uses `touch` to note that and from where a key was used. */
  const touch = async ({ id, last_used_at: last }: FoundKey, address: string, now: Date): Promise<void> => {
    if (last !== null && now.getTime() - last.getTime() < TOUCH_MS) return;
    const before = new Date(now.getTime() - TOUCH_MS);
    await database.write((tx) =>
      tx
        .updateTable('api_keys')
        .set({ last_used_at: now, last_used_address: address })
        .where('id', '=', id)
        .where((where) => where.or([where('last_used_at', 'is', null), where('last_used_at', '<=', before)]))
        .execute(),
    );
  };

  const readValid = async (queries: Queries, which: Parameters<typeof findKey>[1], address: string | undefined) => {
    const now = clock.now();
    const found = required(await findKey(queries, which, address, now), 'key.unknown');
    return { found, caller: callerOf(found, which, now), now };
  };

  const readActor = async (queries: Queries, which: Parameters<typeof findKey>[1]): Promise<KeyCaller['actor'] | undefined> => {
    try {
      return (await readValid(queries, which, undefined)).caller.actor;
    } catch (error) {
      if (error instanceof DomainError) return undefined;
      throw error;
    }
  };

  const find = async (queries: Queries, actor: Actor, right: Right): Promise<Allowed | undefined> => {
    const { key, role, mainAccountId } = actor;
    if (key === undefined) return findAllowed(queries, actor, right);
    // Rotation keeps the id, and makes it act for who rotated it.
    const current = await readActor(queries, { id: key.id });
    const isAllowed =
      current?.role === role &&
      isAllowedByRole(current, right) &&
      current.mainAccountId === mainAccountId &&
      current.key.organizationId === key.organizationId &&
      current.key.operations.includes(right.id);
    return isAllowed ? { limit: current.limit, ownRole: current.ownRole, key: current.key } : undefined;
  };

  return {
    isKey: looksLikeKey,
    async readKey(bearer, address) {
      if (!isWellFormedKey(bearer)) throw new DomainError('key.malformed');
      const { found, caller, now } = await readValid(database.read, { hash: hashKey(bearer) }, plainAddress(address));
      if (!found.in_range) throw new DomainError('key.network', { detail: { address } });
      await touch(found, address, now);
      return { ...caller, actor: { ...caller.actor, address } };
    },
    async admit(tx, sessionId) {
      await readValid(tx, { hash: Buffer.from(sessionId, 'hex') }, undefined);
    },
    readActor: (sessionId) => readActor(database.read, { hash: Buffer.from(sessionId, 'hex') }),
    findAllowed: find,
    mayAct: async (queries, actor, right, deviceId) => mayActOn(queries, await find(queries, actor, right), deviceId),
  };
}

async function findKey(
  queries: Queries,
  which: { readonly hash: Buffer } | { readonly id: string },
  address: string | undefined,
  now: Date,
): Promise<FoundKey | undefined> {
  const isIt =
    'id' in which
      ? sql`k.id = ${which.id}::uuid`
      : sql`(k.secret_hash = ${which.hash} or (k.previous_hash = ${which.hash} and k.previous_until > ${now}::timestamptz))`;
  // Who rotated the key has not given the own rights to those who have its former secret.
  const maker =
    'id' in which
      ? sql`k.made_by`
      : sql`case when k.secret_hash = ${which.hash} then k.made_by else coalesce(k.previous_made_by, k.made_by) end`;
  const { rows } =
    await sql<FoundKey>`select k.id, k.main_account_id, k.organization_id, k.name, k.hint, k.operations, ${maker} as made_by,
      k.expires_at, k.revoked_at, k.last_used_at,
      case when k.limit_tags is not null then json_build_object('organization', k.organization_id, 'tags', k.limit_tags,
        'groups', array(select g.group_key from api_key_groups g where g.key_id = k.id order by g.group_key)) end as key_limit,
      (k.ranges = '{}' or coalesce(${address ?? null}::inet <<= any(k.ranges), false)) as in_range,
      a.email as maker_email, a.name as maker_name, a.roles as maker_roles, a.organization_id as maker_organization, o.deleted_at,
      ${sql.raw(limitColumns)}, ${sql.raw(ownRoleColumns)}
    from api_keys k
      left join accounts a on a.id = ${maker} and a.main_account_id = k.main_account_id
      left join organizations o on o.id = k.organization_id
    where ${isIt}`.execute(queries);
  return rows[0];
}

function callerOf(found: FoundKey, which: { readonly hash?: Buffer; readonly id?: string }, now: Date): KeyCaller {
  if (found.revoked_at !== null || found.deleted_at !== null) throw new DomainError('key.revoked');
  if (found.expires_at !== null && found.expires_at <= now) throw new DomainError('key.expired');
  const standing = required(standingOfKey(found), 'key.suspended');
  const { id, name, hint, organization_id: organizationId, maker_email: email, maker_name: person } = found;
  return {
    actor: {
      accountId: found.made_by,
      email: email ?? '',
      name: person ?? '',
      ...standing,
      mainAccountId: found.main_account_id,
      organizationId: found.maker_organization,
      address: '',
      sessionId: which.hash?.toString('hex') ?? '',
      key: { id, label: `${name} (${hint})`, organizationId, operations: found.operations },
      ...limitOf(found.made_by, found, found.key_limit),
    },
    operations: new Set(found.operations),
  };
}

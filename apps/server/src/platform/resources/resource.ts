import type { FailureKey, live } from '@highline/contract';
import { sql } from 'kysely';
import type { z } from 'zod';
import { DomainError, isId, required, type Actor, type Scope } from '../../kernel/index.ts';
import { withoutLimit } from '../calls/without-limit.ts';
import { defineList, type Fragment, type Reader } from '../listing/index.ts';
import type { ListQuery } from '../listing/request.ts';
import { announce } from '../outbox/announce.ts';
import type { Deps } from '../ports/deps.ts';
import type { Tx } from '../ports/database.ts';
import { columnOf, type OwnedTable, type OwnField, type Renamed, type Stored } from './columns.ts';

/** The entry of the log about a change. */
export interface LoggedChange<Action> {
  readonly action: Action;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** An entity of organizations and main accounts, as its table and its calls have it (docs/decisions/0130). */
export interface ResourceDeclaration<T extends OwnedTable, Response, Input, Computed extends keyof Response, Joined, Action> {
  readonly table: T;
  /** Of its list. */
  readonly name: string;
  /** Consoles refetch it after each change. */
  readonly topic: live.LiveTopic;
  readonly response: z.ZodObject & z.ZodType<Response>;
  /** The body of the call that creates one, or replaces its fields. */
  readonly input: z.ZodObject & z.ZodType<Input>;
  /** Columns of the table (`e`) for fields with another name; `suspendedAt` is the column `suspended_at` without an entry here. */
  readonly columns: Renamed<T, Response, Computed>;
  /** Fields that no column has, made from the others and from what is joined. */
  readonly computed: { readonly [F in Computed]: (row: Omit<Response, Computed> & Joined, now: Date) => Response[F] };
  /** Columns that `computed` reads besides, and the tables that they are in. */
  readonly joined: Fragment;
  readonly joins: Fragment;
  /** Reads rows with these columns: here their type is claimed, and compared with the database by tests. */
  readonly read: (reader: Reader, statement: Fragment) => Promise<Joined[]>;
  readonly missing: FailureKey;
  /** The condition of rows of `e` that are such an entity; left out = all. */
  readonly only?: Fragment;
  /** How many rows one owner can have, and which of them count. */
  readonly limit: { readonly most: number; readonly error: FailureKey; readonly counted?: (now: Date) => Fragment };
  /** The kind of the subject in the log, and how an entry is written. */
  readonly subject: string;
  readonly record: (
    tx: Tx,
    chain: string,
    actor: Actor,
    event: LoggedChange<Action> & { readonly subject: { readonly kind: string; readonly id: string } },
    now: Date,
  ) => Promise<void>;
}

type ChangeDeps = Pick<Deps, 'database' | 'clock'>;
type Columns<T extends OwnedTable> = { readonly [C in keyof Stored<T>]?: Stored<T>[C] | Fragment };

/** The id of the owner of what a scope creates; it has the log of it too. */
const ownerOf = (scope: Scope): string => (scope.kind === 'organization' ? scope.organizationId : scope.mainAccountId);

/** The scope of the owner of a row. */
export function scopeOfOwner(row: { readonly main_account_id: string; readonly organization_id: string | null }): Scope {
  const { main_account_id: mainAccountId, organization_id: organizationId } = row;
  return organizationId === null ? { kind: 'main', mainAccountId } : { kind: 'organization', mainAccountId, organizationId };
}

/** The condition of rows of `e` that a scope covers. */
export const isWithin = (scope: Scope): Fragment =>
  scope.kind === 'organization'
    ? sql`e.organization_id = ${scope.organizationId}::uuid`
    : sql`e.main_account_id = ${scope.mainAccountId}::uuid`;

type Entity = { id: string; org: string | null; orgName: string };
type Row<T extends OwnedTable> = Stored<T> & { id: string; main_account_id: string; organization_id: string | null };
type Fields<Response, Input, Computed> = Pick<Response, Exclude<keyof Input & keyof Response, OwnField | Computed>>;

/** Which columns the fields of the response and of the input are, and how a row becomes a response. */
function mapFields<T extends OwnedTable, Response extends Entity, Input, Computed extends keyof Response, Joined, Action>(
  declaration: ResourceDeclaration<T, Response, Input, Computed, Joined, Action>,
) {
  const renamed = declaration.columns as Readonly<Record<string, unknown>>;
  const computed = Object.entries(declaration.computed) as [string, (row: object, now: Date) => unknown][];
  const own: readonly string[] = ['id', 'org', 'orgName', 'version'] satisfies OwnField[];
  const fields = Object.keys(declaration.response.shape).filter(
    (field) => !own.includes(field) && !(field in declaration.computed),
  );
  const hasVersion = 'version' in declaration.response.shape;
  const mapped = fields.map((field) => [field, columnOf(field, renamed)] as const);
  const named = ['id', 'organization_id', ...(hasVersion ? ['version'] : []), ...mapped.map(([, column]) => column)];
  return {
    hasVersion,
    inputs: mapped.filter(([field]) => field in declaration.input.shape),
    columns: sql`${sql.join(named.map((column) => sql`e.${sql.id(column)}`))}, o.name as org_name, ${declaration.joined}`,

    /** A row of the list as the API returns it. */
    toDto:
      (now: Date) =>
      (row: Readonly<Record<string, unknown>>): Response => {
        const plain = Object.fromEntries(mapped.map(([field, column]) => [field, returned(row[column])]));
        const { id, organization_id: org, org_name: orgName } = row;
        const dto = { id, org, orgName: orgName ?? '', ...plain, ...(hasVersion && { version: String(row.version) }) };
        const all = { ...row, ...dto };
        return { ...dto, ...Object.fromEntries(computed.map(([field, compute]) => [field, compute(all, now)])) } as Response;
      },
  };
}

/** How many rows of `counted` are of this very owner. Creations of one owner wait for each other until the transaction ends. */
async function countOwn(tx: Tx, name: string, scope: Scope, counted: Fragment): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${name} of ${ownerOf(scope)}`}, 0))`.execute(tx);
  const isOwn = scope.kind === 'organization' ? sql`true` : sql`e.organization_id is null`;
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from ${counted} and ${isOwn}`.execute(tx);
  return rows[0]!.count;
}

async function insertRow(tx: Tx, table: OwnedTable, row: Readonly<Record<string, unknown>>): Promise<void> {
  const columns = Object.entries(row);
  await sql`insert into ${sql.table(table)} (${sql.join(columns.map(([column]) => sql.id(column)))})
    values (${sql.join(columns.map(([, value]) => value))})`.execute(tx);
}

/**
 * A resource: its list, its response, and its changes. A change locks the row within the scope, writes it, announces it to consoles and
 * records it, in one transaction.
 */
export function defineResource<
  T extends OwnedTable,
  Response extends Entity,
  Input,
  Computed extends keyof Response,
  Joined,
  Action,
>(declaration: ResourceDeclaration<T, Response, Input, Computed, Joined, Action>) {
  type Given = Fields<Response, Input, Computed>;
  const { name, topic, missing, limit, joins } = declaration;
  const { hasVersion, inputs, columns, toDto } = mapFields(declaration);
  const isOne = (scope: Scope) =>
    declaration.only === undefined ? isWithin(scope) : sql`${isWithin(scope)} and ${declaration.only}`;
  const table = sql`${sql.table(declaration.table)} e`;
  const from = sql`left join organizations o on o.id = e.organization_id ${joins}`;

  const lock = async (tx: Tx, scope: Scope, id: string): Promise<Row<T>> => {
    if (!isId(id)) throw new DomainError(missing);
    const { rows } = await sql<
      Row<T>
    >`select e.* from ${table} where e.id = ${id}::uuid and ${isOne(scope)} for no key update`.execute(tx);
    return required(rows[0], missing);
  };

  const note = async (tx: Tx, scope: Scope, actor: Actor, id: string, { action, detail }: LoggedChange<Action>, now: Date) => {
    await announce(tx, scope, topic, [id]);
    await declaration.record(tx, ownerOf(scope), actor, { action, subject: { kind: declaration.subject, id }, detail }, now);
  };

  return {
    /** The rows of a scope, the newest first. */
    list: (now: Date) => {
      const segments = [{ from: table, keys: [{ column: sql`e.id`, kind: 'uuid' as const }], descending: true }];
      const plain = { name, table, alias: 'e', identity: ['id'], filters: [], estimatable: true, columns, joins: from, segments };
      return defineList({ of: (scope: Scope, _: ListQuery) => ({ ...plain, scope: isOne(scope) }), toDto: toDto(now) });
    },

    /** One of the scope, as the API returns it. @throws DomainError `missing`, also for an invalid id */
    async get({ reader, clock }: Pick<Deps, 'reader' | 'clock'>, scope: Scope, id: string): Promise<Response> {
      const statement = sql`select ${columns} from ${table} ${from} where e.id = ${id}::uuid and ${isOne(scope)}`;
      const rows = isId(id) ? await declaration.read(reader, statement) : [];
      return toDto(clock.now())(required(rows[0], missing) as Record<string, unknown>);
    },

    /** The fields of a body, without those that say whose it is. */
    inputOf: (body: Input): Pick<Input, keyof Given & keyof Input> =>
      Object.fromEntries(inputs.map(([field]) => [field, body[field as keyof Input]])) as Pick<Input, keyof Given & keyof Input>,

    /** The columns of fields of the input. */
    columnsOf: (values: Given): Columns<T> =>
      Object.fromEntries(inputs.map(([field, column]) => [column, values[field as keyof Given] as unknown])) as Columns<T>,

    /** The fields of the input, as a row has them. */
    fieldsOf: (row: Stored<T>): Given =>
      Object.fromEntries(inputs.map(([field, column]) => [field, returned(row[column as keyof Stored<T>])])) as Given,

    /** Lock a row of the scope. @throws DomainError `missing`, also for an invalid id */
    lock,

    /** Insert a row. @param rest what else belongs to it @throws DomainError of the limit, and what `rest` throws */
    async create(
      { database, clock }: ChangeDeps,
      scope: Scope,
      actor: Actor,
      values: Columns<T> & { readonly id: string },
      logged: LoggedChange<Action>,
      rest?: (tx: Tx) => Promise<void>,
    ): Promise<void> {
      const now = clock.now();
      const organization = scope.kind === 'organization' ? scope.organizationId : null;
      const made = { main_account_id: scope.mainAccountId, organization_id: organization, created_at: now };
      const row = { ...values, ...made, ...(hasVersion && { updated_at: now }) };
      await database.write(async (tx) => {
        const counted = sql`${table} where ${isOne(scope)} and ${limit.counted?.(now) ?? sql`true`}`;
        // Those that someone who is limited does not see count as well.
        const count = await withoutLimit(tx, () => countOwn(tx, name, scope, counted));
        if (count >= limit.most) throw new DomainError(limit.error);
        await insertRow(tx, declaration.table, row);
        await rest?.(tx);
        await note(tx, scope, actor, values.id, logged, now);
      });
    },

    /** Change a row of the scope. @throws DomainError `missing`, and what `work` throws */
    async change(
      { database, clock }: ChangeDeps,
      scope: Scope,
      actor: Actor,
      id: string,
      work: (tx: Tx, row: Row<T>, now: Date) => Promise<LoggedChange<Action>>,
    ): Promise<void> {
      const now = clock.now();
      await database.write(async (tx) => {
        const row = await lock(tx, scope, id);
        const logged = await work(tx, row, now);
        await note(tx, scopeOfOwner(row), actor, row.id, logged, now);
      });
    },

    /** Write columns of a locked row. @param saved the time of a save, which begins another version */
    async update(tx: Tx, { id }: Row<T>, values: Columns<T>, saved?: Date): Promise<void> {
      const version = saved === undefined ? {} : { version: sql`e.version + 1`, updated_at: saved };
      const set = Object.entries({ ...values, ...version }).map(([column, value]) => sql`${sql.id(column)} = ${value}`);
      await sql`update ${table} set ${sql.join(set)} where e.id = ${id}::uuid`.execute(tx);
    },

    /** Delete a locked row. */
    async remove(tx: Tx, { id }: Row<T>): Promise<void> {
      await sql`delete from ${table} where e.id = ${id}::uuid`.execute(tx);
    },
  };
}

function returned(value: unknown): unknown {
  return value instanceof Date ? value.toISOString() : value;
}

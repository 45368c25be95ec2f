import type { views } from '@highline/contract';
import { sql, type Selectable } from 'kysely';
import { isId, type Actor, type Scope } from '../../kernel/index.ts';
import { sameName } from '../../platform/listing/index.ts';
import type { Tables, Tx } from '../../platform/ports/index.ts';

export type StoredView = Pick<
  Selectable<Tables['saved_views']>,
  'id' | 'list' | 'name' | 'is_shared' | 'account_id' | 'content' | 'version'
>;
export type ViewChange = Partial<Pick<StoredView, 'name' | 'is_shared' | 'content'>>;

const organizationOf = (scope: Scope) => (scope.kind === 'organization' ? scope.organizationId : null);

function own(tx: Tx, scope: Scope) {
  return tx
    .selectFrom('saved_views')
    .where('main_account_id', '=', scope.mainAccountId)
    .where('organization_id', 'is not distinct from', organizationOf(scope));
}

/** A view that the person sees, locked until the transaction ends; undefined also for an invalid id. */
export async function lockView(
  tx: Tx,
  scope: Scope,
  { accountId }: Pick<Actor, 'accountId'>,
  id: string,
): Promise<StoredView | undefined> {
  if (!isId(id)) return undefined;
  return own(tx, scope)
    .select(['id', 'list', 'name', 'is_shared', 'account_id', 'content', 'version'])
    .where('id', '=', id)
    .where((where) => where.or([where('is_shared', '=', true), where('account_id', '=', accountId)]))
    .forUpdate()
    .executeTakeFirst();
}

/** Concurrent saves of one organization, or of the main account, wait here, so that none exceeds a limit. */
export async function lockViews(tx: Tx, scope: Scope): Promise<void> {
  const owner = organizationOf(scope) ?? scope.mainAccountId;
  await sql`select pg_advisory_xact_lock(hashtextextended(${`views of ${owner}`}, 0))`.execute(tx);
}

/** How many views the person made. */
export async function countViews(tx: Tx, scope: Scope, { accountId }: Pick<Actor, 'accountId'>): Promise<number> {
  const { count } = await own(tx, scope)
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  return count;
}

/** How many views everyone sees. */
export async function countShared(tx: Tx, scope: Scope): Promise<number> {
  const { count } = await own(tx, scope)
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('is_shared', '=', true)
    .executeTakeFirstOrThrow();
  return count;
}

/** Whether another view that the person sees has this name on the same list. */
export async function isNameTaken(
  tx: Tx,
  scope: Scope,
  { accountId }: Pick<Actor, 'accountId'>,
  { list, name, id }: { readonly list: views.ViewList; readonly name: string; readonly id?: string | undefined },
): Promise<boolean> {
  const others = own(tx, scope)
    .select('id')
    .where('list', '=', list)
    .where(sameName(name))
    .where((where) => where.or([where('is_shared', '=', true), where('account_id', '=', accountId)]));
  const row = await (id === undefined ? others : others.where('id', '<>', id)).limit(1).executeTakeFirst();
  return row !== undefined;
}

export async function insertView(
  tx: Tx,
  scope: Scope,
  view: Pick<StoredView, 'id' | 'list' | 'name' | 'is_shared' | 'account_id' | 'content'>,
  now: Date,
): Promise<void> {
  await tx
    .insertInto('saved_views')
    .values({
      ...view,
      content: JSON.stringify(view.content),
      main_account_id: scope.mainAccountId,
      organization_id: organizationOf(scope),
      created_at: now,
      updated_at: now,
    })
    .execute();
}

/** Change a locked view. */
export async function updateView(
  tx: Tx,
  scope: Scope,
  { id, version }: StoredView,
  change: ViewChange,
  now: Date,
): Promise<void> {
  const { content, ...rest } = change;
  await tx
    .updateTable('saved_views')
    .set({
      ...rest,
      ...(content === undefined ? {} : { content: JSON.stringify(content) }),
      version: version + 1,
      updated_at: now,
    })
    .where('main_account_id', '=', scope.mainAccountId)
    .where('id', '=', id)
    .execute();
}

export async function removeView(tx: Tx, scope: Scope, id: string): Promise<void> {
  await tx.deleteFrom('saved_views').where('main_account_id', '=', scope.mainAccountId).where('id', '=', id).execute();
}

/** The views of others can be a default only while they are shared. */
export async function forgetDefaultsOfOthers(tx: Tx, scope: Scope, { id, account_id: maker }: StoredView): Promise<void> {
  const all = tx
    .deleteFrom('default_views')
    .where('organization_id', 'is not distinct from', organizationOf(scope))
    .where('view_id', '=', id);
  await (maker === null ? all : all.where('account_id', '<>', maker)).execute();
}

/** Make a view the one that a list of the person opens with; null = none. @returns whether that changed */
export async function putDefault(
  tx: Tx,
  scope: Scope,
  { accountId }: Pick<Actor, 'accountId'>,
  list: views.ViewList,
  viewId: string | null,
): Promise<boolean> {
  const organization = organizationOf(scope);
  const before = await tx
    .deleteFrom('default_views')
    .where('account_id', '=', accountId)
    .where('organization_id', 'is not distinct from', organization)
    .where('list', '=', list)
    .returning('view_id')
    .executeTakeFirst();
  if (viewId !== null)
    await tx
      .insertInto('default_views')
      .values({ account_id: accountId, organization_id: organization, list, view_id: viewId })
      .execute();
  return (before?.view_id ?? null) !== viewId;
}

// Reads tables of other domains: devices, groups, organizations.
import type { views } from '@highline/contract';
import { sql } from 'kysely';
import { isId, type Actor, type Scope } from '../../kernel/index.ts';
import { natural, type Fragment, type Reader } from '../../platform/listing/index.ts';

declare module '../../platform/ports/column-types.ts' {
  interface ColumnTypes {
    'saved_views.list': views.ViewList;
    'saved_views.content': views.ViewContent;
    'default_views.list': views.ViewList;
  }
}

export interface ViewRow {
  readonly id: string;
  readonly list: views.ViewList;
  readonly name: string;
  readonly is_shared: boolean;
  readonly account_id: string | null;
  readonly content: views.ViewContent;
  readonly version: number;
  readonly is_default: boolean;
  readonly missing: string[];
}

/** Whose views a scope has: those of its organization, or those of the main account itself. */
export function viewsOf(scope: Scope, alias = 'v'): Fragment {
  const organization = scope.kind === 'organization' ? sql`${scope.organizationId}::uuid` : sql`null::uuid`;
  return sql`${sql.ref(`${alias}.main_account_id`)} = ${scope.mainAccountId}::uuid
    and ${sql.ref(`${alias}.organization_id`)} is not distinct from ${organization}`;
}

/** Those of them that a person sees. */
export function visibleViews(scope: Scope, { accountId }: Pick<Actor, 'accountId'>): Fragment {
  return sql`${viewsOf(scope)} and (v.is_shared or v.account_id = ${accountId}::uuid)`;
}

/** A group, an organization or a tag of which there is no device any more. */
const missing = sql`array_remove(array[
    case when v.list = 'devices' and v.content -> 'search' ? 'group' and not exists (select from groups g
      where g.organization_id = v.organization_id and g.key = v.content -> 'search' ->> 'group') then 'group' end,
    case when v.list = 'devices' and v.content -> 'search' ? 'tag' and not exists (select from devices d
      where d.organization_id = v.organization_id and d.archived_at is null and d.tags <> '{}'
        and d.tags @> array[v.content -> 'search' ->> 'tag']) then 'tag' end,
    case when v.list = 'org-devices' and v.content -> 'search' ? 'org' and not exists (select from organizations o
      where o.main_account_id = v.main_account_id and o.deleted_at is null and o.id::text = v.content -> 'search' ->> 'org') then 'org' end
  ], null)`;

/** The views that a person sees, by name. */
export function readViews(reader: Reader, scope: Scope, actor: Pick<Actor, 'accountId'>, id?: string): Promise<ViewRow[]> {
  if (id !== undefined && !isId(id)) return Promise.resolve([]);
  const one = id === undefined ? sql`` : sql`and v.id = ${id}::uuid`;
  return reader.rows(sql`select v.id, v.list, v.name, v.is_shared, v.account_id, v.content, v.version, ${missing} as missing,
      exists (select from default_views f where f.view_id = v.id and f.account_id = ${actor.accountId}::uuid) as is_default
    from saved_views v where ${visibleViews(scope, actor)} ${one} order by ${natural(sql`v.name`)}, v.id`);
}

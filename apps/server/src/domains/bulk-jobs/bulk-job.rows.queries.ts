// Reads tables of other domains: accounts, api_keys, config_files, firmware, groups, notification_subscriptions, organizations, routers.
import type { bulkJobs } from '@highline/contract';
import { sql } from 'kysely';
import type { Scope } from '../../kernel/scope.ts';
import { natural, type Fragment } from '../../platform/listing/index.ts';
import type { Tx } from '../../platform/ports/database.ts';
import type { SelectedDevice } from './bulk-jobs.store.ts';

interface RowSource {
  readonly from: Fragment;
  readonly key: Fragment;
  readonly isUuid: boolean;
  readonly name: Fragment;
  /** Rows of lists that a main account shares have no organization; null = always. */
  readonly organization: Fragment | null;
  readonly where?: Fragment;
  /** The column of the main account; null = the table has organizations only. */
  readonly main: Fragment | null;
}

/** Where the rows of each list are, and how their names are read. */
const sources: Readonly<Record<bulkJobs.RowList, RowSource>> = {
  groups: {
    from: sql`groups s`,
    key: sql`s.key`,
    isUuid: false,
    name: sql`s.name`,
    organization: sql`s.organization_id`,
    main: null,
  },
  configs: {
    from: sql`config_files s`,
    key: sql`s.id`,
    isUuid: true,
    name: sql`s.name`,
    organization: sql`s.organization_id`,
    main: null,
  },
  notifications: {
    from: sql`notification_subscriptions s`,
    key: sql`s.mail`,
    isUuid: false,
    name: sql`s.mail`,
    organization: sql`s.organization_id`,
    main: null,
  },
  users: {
    from: sql`accounts s`,
    key: sql`s.id`,
    isUuid: true,
    name: sql`s.email`,
    organization: sql`s.organization_id`,
    main: sql`s.main_account_id`,
    where: sql`s.organization_id is not null`,
  },
  apiKeys: {
    from: sql`api_keys s`,
    key: sql`s.id`,
    isUuid: true,
    name: sql`s.name`,
    organization: sql`s.organization_id`,
    main: sql`s.main_account_id`,
  },
  colleagues: {
    from: sql`accounts s`,
    key: sql`s.id`,
    isUuid: true,
    name: sql`s.email`,
    organization: null,
    main: sql`s.main_account_id`,
    where: sql`s.organization_id is null`,
  },
  inventory: {
    from: sql`routers s`,
    key: sql`s.id`,
    isUuid: true,
    name: sql`s.serial`,
    organization: null,
    main: sql`s.main_account_id`,
  },
  organizations: {
    from: sql`organizations s`,
    key: sql`s.id`,
    isUuid: true,
    name: sql`s.name`,
    organization: null,
    main: sql`s.main_account_id`,
    where: sql`s.deleted_at is null`,
  },
  firmware: {
    from: sql`firmware s`,
    key: sql`s.id`,
    isUuid: true,
    name: sql`s.version || ' (' || s.profile || ')'`,
    organization: null,
    main: sql`s.main_account_id`,
  },
};

/** Whether the ids of a list are UUIDs. */
export function hasUuids(list: bulkJobs.RowList): boolean {
  return sources[list].isUuid;
}

/** Whether the rows of a list belong to the main account and not to an organization. */
export function isListOfMain(list: bulkJobs.RowList): boolean {
  return sources[list].organization === null;
}

/** Whether the rows of a list always belong to one organization, whose scope the call needs. */
export function isListOfOrganization(list: bulkJobs.RowList): boolean {
  return sources[list].main === null;
}

/** The rows of a list with these ids that the scope covers, in the order of their names. */
export async function findRows(tx: Tx, scope: Scope, list: bulkJobs.RowList, ids: readonly string[]): Promise<SelectedDevice[]> {
  const { from, key, isUuid, name, organization, main, where = sql`true` } = sources[list];
  const owner =
    scope.kind === 'organization'
      ? sql`${organization ?? sql`null::uuid`} = ${scope.organizationId}::uuid`
      : sql`${main ?? sql`null::uuid`} = ${scope.mainAccountId}::uuid`;
  const { rows } = await sql<SelectedDevice>`select coalesce(${organization ?? sql`null::uuid`}, ${scope.mainAccountId}::uuid)
      as organization_id, null as device_id, ${key}::text as subject, ${name} as serial
    from ${from} where ${owner} and ${where} and ${key} = any (${[...ids]}::${sql.raw(isUuid ? 'uuid[]' : 'text[]')})
    order by ${natural(sql`${name}`)}, ${key}`.execute(tx);
  return rows;
}

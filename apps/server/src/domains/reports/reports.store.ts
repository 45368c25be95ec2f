import type { reports } from '@highline/contract';
import { sql, type Selectable } from 'kysely';
import { natural } from '../../platform/listing/index.ts';
import type { Queries, Tx, Tables } from '../../platform/ports/index.ts';
import type { OrganizationScope } from '../../kernel/scope.ts';

declare module '../../platform/ports/column-types.ts' {
  interface ColumnTypes {
    'saved_reports.question': Omit<reports.SavedReport, 'id' | 'reportName' | 'projectId'>;
  }
}

/** A stored query: its search arguments without name and organization. */
export type SavedQuestion = Omit<reports.SavedReport, 'id' | 'reportName' | 'projectId'> & {
  /** The group that `projectId` named; left out: the organization. */
  readonly projectId?: string;
};
export type SavedReportRow = Pick<Selectable<Tables['saved_reports']>, 'id' | 'name' | 'question'>;

/** One user's saved reports, by name. */
export async function selectReports(queries: Queries, scope: OrganizationScope, accountId: string): Promise<SavedReportRow[]> {
  return own(queries, scope, accountId)
    .orderBy(natural(sql`name`))
    .execute();
}

/** The one with this name, locked until the transaction ends. */
export async function lockReport(
  tx: Tx,
  scope: OrganizationScope,
  accountId: string,
  name: string,
): Promise<SavedReportRow | undefined> {
  return own(tx, scope, accountId).where('name', '=', name).forUpdate().executeTakeFirst();
}

function own(queries: Queries, scope: OrganizationScope, accountId: string) {
  return queries
    .selectFrom('saved_reports')
    .select(['id', 'name', 'question'])
    .where('organization_id', '=', scope.organizationId)
    .where('account_id', '=', accountId);
}

/** For the limit of one user. */
export async function countReports(tx: Tx, scope: OrganizationScope, accountId: string): Promise<number> {
  const { count } = await tx
    .selectFrom('saved_reports')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('organization_id', '=', scope.organizationId)
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  return count;
}

/** Write a report, new or under an existing name. @returns its id, which an existing name keeps */
export async function putReport(
  tx: Tx,
  scope: OrganizationScope,
  accountId: string,
  { id, name, question }: { readonly id: string; readonly name: string; readonly question: SavedQuestion },
  now: Date,
): Promise<string> {
  const columns = { question: JSON.stringify(question), updated_at: now };
  const row = await tx
    .insertInto('saved_reports')
    .values({ organization_id: scope.organizationId, account_id: accountId, id, name, ...columns, created_at: now })
    .onConflict((conflict) => conflict.columns(['account_id', 'organization_id', 'name']).doUpdateSet(columns))
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}

/** @returns its name; undefined when the user has no such report */
export async function removeReport(tx: Tx, scope: OrganizationScope, accountId: string, id: string): Promise<string | undefined> {
  const row = await tx
    .deleteFrom('saved_reports')
    .where('organization_id', '=', scope.organizationId)
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .returning('name')
    .executeTakeFirst();
  return row?.name;
}

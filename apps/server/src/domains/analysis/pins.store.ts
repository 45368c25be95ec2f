import type { analysis } from '@highline/contract';
import type { Selectable } from 'kysely';
import { lockAccountForNoKeyUpdate } from '../../platform/locks/row-locks.ts';
import type { Queries, Tx, Tables } from '../../platform/ports/index.ts';
import type { OrganizationScope } from '../../kernel/scope.ts';

declare module '../../platform/ports/column-types.ts' {
  interface ColumnTypes {
    'pinned_charts.chart_type': analysis.ChartType;
    'pinned_charts.arguments': analysis.AnalysisArguments;
    'pinned_charts.spec': Record<string, unknown>;
    'pinned_charts.content': analysis.PinnedChart['content'];
  }
}

type Columns = Selectable<Tables['pinned_charts']>;
export type PinRow = Pick<Columns, 'id' | 'chart_type' | 'arguments' | 'spec' | 'content' | 'created_at'>;

export interface NewPin {
  readonly id: string;
  /** SHA-256: the same chart again is the same pin. */
  readonly identity: Buffer;
  readonly api: analysis.PinnedChart['api'];
  readonly spec: Record<string, unknown>;
  readonly content: analysis.PinnedChart['content'];
}

/** One user's pinned charts, oldest first. */
export async function selectPins(queries: Queries, scope: OrganizationScope, accountId: string): Promise<PinRow[]> {
  return own(queries, scope, accountId).orderBy('created_at').orderBy('id').execute();
}

/** A pin of this user with the same query. @param identity hash of the chart's query */
export async function findSamePin(
  tx: Tx,
  scope: OrganizationScope,
  accountId: string,
  identity: Buffer,
): Promise<PinRow | undefined> {
  return own(tx, scope, accountId).where('identity', '=', identity).executeTakeFirst();
}

function own(queries: Queries, scope: OrganizationScope, accountId: string) {
  return queries
    .selectFrom('pinned_charts')
    .select(['id', 'chart_type', 'arguments', 'spec', 'content', 'created_at'])
    .where('organization_id', '=', scope.organizationId)
    .where('account_id', '=', accountId);
}

/** Lock the pins of this user until the transaction ends. @returns how many charts the user has pinned */
export async function lockPins(tx: Tx, scope: OrganizationScope, accountId: string): Promise<number> {
  await lockAccountForNoKeyUpdate(tx, scope, accountId);
  return (await own(tx, scope, accountId).execute()).length;
}

/** Insert a pin of one user. Fails if the user has one with the same query. */
export async function insertPin(
  tx: Tx,
  scope: OrganizationScope,
  accountId: string,
  { id, identity, api, spec, content }: NewPin,
  now: Date,
): Promise<void> {
  await tx
    .insertInto('pinned_charts')
    .values({
      organization_id: scope.organizationId,
      account_id: accountId,
      id,
      identity,
      chart_type: api.chartType,
      arguments: JSON.stringify(api.arguments),
      spec: JSON.stringify(spec),
      content: JSON.stringify(content),
      created_at: now,
    })
    .execute();
}

/** @returns the deleted pin; undefined when the user has no such pin */
export async function removePin(
  tx: Tx,
  scope: OrganizationScope,
  accountId: string,
  id: string,
): Promise<Pick<PinRow, 'chart_type' | 'content'> | undefined> {
  return tx
    .deleteFrom('pinned_charts')
    .where('organization_id', '=', scope.organizationId)
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .returning(['chart_type', 'content'])
    .executeTakeFirst();
}

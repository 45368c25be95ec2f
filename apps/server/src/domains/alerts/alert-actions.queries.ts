import { alerts } from '@highline/contract';
import { sql } from 'kysely';
import type { z } from 'zod';
import { isId, type OrganizationScope } from '../../kernel/index.ts';
import { defineList, searchOf, sorted, type Fragment, type SortKey } from '../../platform/listing/index.ts';
import type { Row } from '../../platform/ports/tables.ts';

/** A row of the log of actions. */
export type ActionRow = Row<
  'alert_actions',
  | 'id'
  | 'rule_id'
  | 'rule_name'
  | 'alert_id'
  | 'device_id'
  | 'serial'
  | 'vehicle_number'
  | 'action'
  | 'state'
  | 'reason'
  | 'created_at'
  | 'decided_at'
>;

const table = sql`alert_actions w`;
const keys: readonly SortKey[] = [
  { column: sql.ref('w.created_at'), kind: 'instant' },
  { column: sql.ref('w.id'), kind: 'uuid' },
];
const fields = { vehicle: sql`w.vehicle_number`, serial: sql`w.serial`, rule: sql`w.rule_name` };
const idIs = (column: Fragment, id: string): Fragment => (isId(id) ? sql`${column} = ${id}::uuid` : sql`false`);

/** What rules of an organization did by themselves, the newest first (WIN-03). */
export const actionList = defineList({
  of(scope: OrganizationScope, query: z.output<typeof alerts.listActions.query>) {
    const { descending } = sorted(query.sort ?? '-at', { at: keys });
    const search = searchOf(query, fields);
    return {
      name: 'alert-actions',
      table,
      alias: 'w',
      identity: ['organization_id', 'id'],
      ownKey: 'id',
      scope: sql`w.organization_id = ${scope.organizationId}::uuid`,
      filters: [
        ...(query.state === undefined ? [] : [sql`w.state = ${query.state}`]),
        ...(query.rule === undefined ? [] : [idIs(sql`w.rule_id`, query.rule)]),
        ...(query.device === undefined ? [] : [idIs(sql`w.device_id`, query.device)]),
        ...search,
      ],
      estimatable: search.length === 0,
      columns: sql`w.*`,
      segments: [{ from: table, keys, descending }],
    };
  },
  toDto: (row: ActionRow): alerts.AlertAction => ({
    id: row.id,
    at: seconds(row.created_at),
    decided: row.decided_at === null ? null : seconds(row.decided_at),
    rule: row.rule_id,
    ruleName: row.rule_name,
    alert: row.alert_id,
    device: row.device_id,
    serial_number: row.serial,
    vehicle_number: row.vehicle_number,
    does: row.action.does.kind,
    state: row.state,
    reason: row.reason,
  }),
});

const seconds = (at: Date) => Math.floor(at.getTime() / 1_000);

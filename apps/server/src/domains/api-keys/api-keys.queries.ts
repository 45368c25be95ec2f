// Reads tables of other domains: accounts, organizations.
import type { apiKeys } from '@highline/contract';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { Scope } from '../../kernel/index.ts';
import { defineList, type Reader } from '../../platform/listing/index.ts';
import { toKeyDto, type KeyRow } from './api-key.dto.ts';
import { keysOf } from './api-keys.store.ts';

const table = sql`api_keys k`;
const joins = sql`left join accounts a on a.id = k.made_by and a.main_account_id = k.main_account_id
  left join organizations o on o.id = k.organization_id`;
const columns = sql`k.id, k.organization_id, o.name as org_name, k.name, k.hint, k.operations, k.ranges::text[] as ranges, k.created_at,
  k.made_by_email, k.expires_at, k.revoked_at, k.last_used_at, k.last_used_address, k.previous_until, a.roles as maker_roles,
  a.organization_id as maker_organization`;

/** Keys of a scope, the newest first. */
export const keyList = (now: Date) =>
  defineList({
    of: (scope: Scope, _: z.output<typeof apiKeys.listKeys.query>) => ({
      name: 'api-keys',
      table,
      alias: 'k',
      identity: ['id'],
      scope: keysOf(scope),
      filters: [],
      estimatable: true,
      columns,
      joins,
      segments: [{ from: table, keys: [{ column: sql`k.id`, kind: 'uuid' as const }], descending: true }],
    }),
    toDto: toKeyDto(now),
  });

/** A key of the scope. */
export async function findKeyRow(reader: Reader, scope: Scope, id: string): Promise<KeyRow | undefined> {
  const [row] = await reader.rows<KeyRow>(
    sql`select ${columns} from ${table} ${joins} where k.id = ${id}::uuid and ${keysOf(scope)}`,
    true,
  );
  return row;
}

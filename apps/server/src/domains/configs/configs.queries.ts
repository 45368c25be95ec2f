// Reads tables of other domains: bindings, groups.
import type { configs as calls } from '@highline/contract';
import { sql } from 'kysely';
import type { z } from 'zod';
import { isId, type OrganizationScope } from '../../kernel/index.ts';
import { allOf, defineList, natural, shortList, type Fragment, type Reader } from '../../platform/listing/index.ts';
import { boundColumn } from '../firmware/index.ts';
import { toConfigDto, type ConfigRow } from './config.dto.ts';

type ConfigQuery = z.output<typeof calls.configQuery>;

const id = sql`c.id`;

const select = sql`select c.id, c.name, c.note, c.current_version, c.version, v.size, v.sha256, c.created_at, c.updated_at,
    ${boundColumn(sql`b.organization_id = c.organization_id and b.config_id = c.id`)}
  from config_files c
  join config_versions v on v.organization_id = c.organization_id and v.config_id = c.id and v.number = c.current_version`;

/** An organization's config files, the last changed first unless a sort is given (CFG-01). */
export const configList = defineList({
  of: (scope: OrganizationScope, query: ConfigQuery) =>
    shortList(query, {
      select,
      table: sql`config_files c`,
      where: [ownedBy(scope)],
      fields: { name: sql`c.name`, note: sql`c.note` },
      sorts: {
        name: [natural(sql`c.name`), id],
        note: [sql`c.note`, id],
        size: [sql`v.size`, id],
        updated: [sql`c.updated_at`, id],
        created: [sql`c.created_at`, id],
      },
      sort: '-updated',
    }),
  toDto: toConfigDto,
});

/** Undefined for a foreign id as for a malformed one: both are answered alike. */
export async function readConfig(reader: Reader, scope: OrganizationScope, id: string): Promise<ConfigRow | undefined> {
  if (!isId(id)) return undefined;
  const [row] = await reader.rows<ConfigRow>(sql`${select} where ${allOf([ownedBy(scope), sql`c.id = ${id}::uuid`])}`);
  return row;
}

type Detail = z.input<typeof calls.getConfig.response>['result'];

/** The versions of a file, newest first; never their contents. */
export async function readVersions(reader: Reader, scope: OrganizationScope, id: string): Promise<Detail['versions']> {
  const rows = await reader.rows<{ number: number; size: number; sha256: Buffer; created_at: Date; created_by: string }>(
    sql`select v.number, v.size, v.sha256, v.created_at, v.created_by from config_versions v
      where v.organization_id = ${scope.organizationId}::uuid and v.config_id = ${id}::uuid order by v.number desc`,
  );
  return rows.map(({ number, size, sha256, created_at: created, created_by: by }) => ({
    number,
    size,
    sha256: sha256.toString('hex'),
    created: created.toISOString(),
    by,
  }));
}

/** Groups with an active binding of a file, each with its version. */
export async function readBoundBy(reader: Reader, scope: OrganizationScope, id: string): Promise<Detail['boundBy']> {
  return reader.rows<Detail['boundBy'][number]>(
    sql`select b.group_key as "group", g.name as "groupName", b.config_number as version
      from bindings b join groups g on g.organization_id = b.organization_id and g.key = b.group_key
      where b.organization_id = ${scope.organizationId}::uuid and b.config_id = ${id}::uuid and b.ended_at is null
      order by ${natural(sql`g.name`)}, g.key`,
  );
}

function ownedBy(scope: OrganizationScope): Fragment {
  return sql`c.organization_id = ${scope.organizationId}::uuid`;
}

import type { firmware as calls } from '@highline/contract';
import { sql } from 'kysely';
import type { z } from 'zod';
import { allOf, defineList, shortList, type Fragment, type Reader } from '../../platform/listing/index.ts';
import type { Scope } from '../../kernel/scope.ts';
import { boundColumn } from './bound.ts';
import { toFirmwareDto, type FirmwareRow } from './firmware.dto.ts';

type FirmwareQuery = z.output<typeof calls.firmwareQuery>;

/** The numbers of a version, padded, so that 2.10 comes after 2.9. */
const versionOrder = sql`array(
  select lpad(piece[1], 20, '0') collate "C" from regexp_matches(f.version, '\\d+|\\D+', 'g') with ordinality as pieces (piece, place)
  order by place)`;

const id = sql`f.id`;

/** The catalogue of a scope, the last changed first unless a sort is given (FWR-01). */
export const firmwareList = defineList({
  of: (scope: Scope, query: FirmwareQuery) =>
    shortList(query, {
      select: selectOf(scope),
      table: sql`firmware f`,
      where: [
        ownedBy(scope),
        ...(query.profile === undefined || query.profile === '' ? [] : [sql`f.profile = ${query.profile}`]),
      ],
      fields: { note: sql`f.note`, version: sql`f.version`, profile: sql`f.profile` },
      sorts: {
        version: [versionOrder, id],
        profile: [sql`f.profile`, id],
        size: [sql`f.size`, id],
        updated: [sql`f.updated_at`, id],
        created: [sql`f.created_at`, id],
      },
      sort: '-updated',
    }),
  toDto: toFirmwareDto,
});

/** One row as the lists show it, or undefined. */
export async function readFirmware(reader: Reader, scope: Scope, id: string): Promise<FirmwareRow | undefined> {
  const [row] = await reader.rows<FirmwareRow>(sql`${selectOf(scope)} where ${allOf([ownedBy(scope), sql`f.id = ${id}::uuid`])}`);
  return row;
}

/** The catalogue belongs to the main account; an organization counts only its own groups. */
function selectOf(scope: Scope): Fragment {
  const counted = scope.kind === 'main' ? sql`` : sql` and b.organization_id = ${scope.organizationId}::uuid`;
  return sql`select f.id, f.version, f.profile, f.note, f.file_name, f.size, f.sha256, f.signed_by, f.created_at, f.updated_at,
      ${boundColumn(sql`b.firmware_id = f.id${counted}`)}
    from firmware f`;
}

function ownedBy(scope: Scope): Fragment {
  return sql`f.main_account_id = ${scope.mainAccountId}::uuid`;
}

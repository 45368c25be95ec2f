// Reads tables of other domains: devices.
import { groups } from '@highline/contract';
import { sql } from 'kysely';
import type { Scope } from '../../kernel/scope.ts';
import type { RowStreams } from '../../platform/listing/index.ts';
import type { GroupRow } from './group.dto.ts';
import { numberedIn, placedGroups, shownGroups, ofGroup } from './groups.queries.ts';

/** A group with some of the serial numbers of its devices; the next row has more of them, or is the next group with piece 0. */
export interface GroupPieceRow extends GroupRow {
  readonly serials: string[];
  readonly piece: number;
}

/** Serial numbers in one row. */
const SERIALS_PER_ROW = 500;

/** All groups with the serial numbers of their devices, streamed: a group of any size is read in pieces. */
export function streamGroupPieces(
  streams: RowStreams,
  scope: Scope,
  query: groups.GroupQuery,
  now: Date,
): AsyncIterable<GroupPieceRow> {
  return streams.open<GroupPieceRow>(sql`
    select g.*, coalesce(n.serials, array[]::text[]) as serials, coalesce(n.piece, 0) as piece
    from (${shownGroups(placedGroups(scope, query, now).places, { serials: false, ...numberedIn(scope) })}) g
    left join lateral (
      select p.piece, array_agg(p.serial order by p.serial) as serials from (
        select d.serial, ((row_number() over (order by d.serial) - 1) / ${sql.lit(SERIALS_PER_ROW)})::int as piece
        from devices d where ${ofGroup}
      ) p group by p.piece
    ) n on true
    order by g.place, n.piece`);
}

import type { rollouts } from '@highline/contract';
import { sql } from 'kysely';
import type { Fragment } from '../../platform/listing/index.ts';

/** The bindings of a firmware or config file: the number of groups, and the newest active binding. */
export interface BoundRow {
  readonly groups: number;
  readonly schedule: rollouts.Schedule | null;
  readonly postpone: number | null;
  readonly group: string | null;
}

interface BoundDto {
  readonly groups: number;
  readonly otaSchedule: rollouts.Schedule | null;
  readonly postpone: number | null;
  readonly group: string;
}

/** The column `bound` of a file's row. @param which condition for the bindings `b` of this file, in the scope */
export function boundColumn(which: Fragment): Fragment {
  const newest = (value: Fragment) => sql`(array_agg(${value} order by b.created_at desc, b.id))[1]`;
  return sql`(select json_build_object('groups', count(*), 'schedule', ${newest(sql`b.schedule`)},
      'postpone', ${newest(sql`extract(epoch from b.postpone_until)::bigint`)}, 'group', ${newest(sql`b.group_key`)})
    from bindings b where ${which} and b.ended_at is null) as bound`;
}

/** The API form of the bindings of a file (part 2 section 3). */
export function toBoundDto({ groups, schedule, postpone, group }: BoundRow): BoundDto {
  return { groups, otaSchedule: schedule, postpone, group: group ?? '' };
}

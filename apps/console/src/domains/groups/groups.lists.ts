import { groups, rollouts } from '@highline/contract';
import { type ListSearch, listSpec } from '../../ui/list/spec.ts';

/** /groups/list: the groups of an organization (GRP-01, GRP-05). `from` and `until` are days, MM/DD/YYYY. */
export const groupList = listSpec({
  id: 'groups',
  defaultSize: 10,
  sorts: groups.groupSorts,
  fields: groups.groupFields,
  filters: { schedule: rollouts.schedules, rollout: groups.rolloutFilters, from: 'text', until: 'text' },
});
/** The same on the page of an organization (ATT-03). */
export const organizationGroupList: typeof groupList = { ...groupList, keeps: ['org', 'tab'] };
export type GroupSearch = ListSearch<typeof groupList>;

/** The address of /groups/detail: the group, and which state each of its rollouts shows alone. */
export interface DetailSearch {
  readonly group?: string | undefined;
  readonly firmware?: rollouts.TargetState | undefined;
  readonly config?: rollouts.TargetState | undefined;
  readonly settings?: rollouts.TargetState | undefined;
}

/** Parse an address; unknown values are dropped. */
export function parseDetailSearch(raw: Readonly<Record<string, unknown>>): DetailSearch {
  const stateOf = (value: unknown) => rollouts.targetStates.find((state) => state === value);
  const group = typeof raw['group'] === 'string' && raw['group'] !== '' ? raw['group'] : undefined;
  return { group, firmware: stateOf(raw['firmware']), config: stateOf(raw['config']), settings: stateOf(raw['settings']) };
}

import { DEFAULT_GROUP_KEY } from '@highline/contract';
import { formatDate } from '../../ui/time/format.ts';

/** True for the group that every organization has and that cannot be renamed or deleted. */
export function isDefaultGroup(group: string): boolean {
  return group === DEFAULT_GROUP_KEY;
}

/** 'Postpone Update Until' of the list: MM/DD/YYYY in the zone, empty when not postponed (GRP-01). */
export function postponeText(postpone: number | null, zone: string): string {
  return postpone === null ? '' : formatDate(postpone, zone);
}

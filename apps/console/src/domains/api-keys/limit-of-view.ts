import type { SavedView } from '../../api/views/views.api.ts';

/** Why the vehicles of a view cannot be a limit. */
export type NoLimitReason = 'missing' | 'everything' | 'both' | 'other';

/** A group, or a tag, whose vehicles are exactly those that a view shows. */
export type LimitOfView =
  | { readonly group: string }
  | { readonly tag: string }
  /** There is none. */
  | { readonly reason: NoLimitReason };

/** Parts of a list's address that choose no vehicles. */
const ORDER: ReadonlySet<string> = new Set(['sort', 'field']);

/**
 * What a saved view is as a limit (IAM-04). One whose vehicles come and go with their state, or that asks for a group and a tag at the same time,
 * is none: a limit shows what is in one of its groups or has one of its tags.
 */
export function readLimitOfView({ content, missing }: Pick<SavedView, 'content' | 'missing'>): LimitOfView {
  const { group, tag, ...rest } = content.search;
  if (missing.length > 0) return { reason: 'missing' };
  if (Object.keys(rest).some((name) => !ORDER.has(name))) return { reason: 'other' };
  if (group !== undefined && tag !== undefined) return { reason: 'both' };
  if (group !== undefined) return { group };
  return tag === undefined ? { reason: 'everything' } : { tag };
}

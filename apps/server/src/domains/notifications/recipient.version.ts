import { contentVersion } from '../../kernel/content-version.ts';

/** The version of a missing notification entry. */
const NONE = 'none';

/**
 * The version of a notification entry, so that a later save does not overwrite a newer one: equal for equal content, in any
 * order.
 * @param groupKeys null for every group
 */
export function versionOf(
  stored:
    | { readonly recipient: string; readonly events: readonly string[]; readonly groupKeys: readonly string[] | null }
    | undefined,
): string {
  if (stored === undefined) return NONE;
  const { recipient, events, groupKeys } = stored;
  return contentVersion([events.toSorted(), groupKeys?.toSorted() ?? 'all', recipient]);
}

import { contentVersion } from '../../content-version.ts';

/** The version of a subscription that there is none of. */
const NONE = 'none';

/**
 * Names what an address is told of, so that a later save is not taken over it: the same for the same, in whatever order.
 * @param groupKeys null for every group
 */
export function versionOf(
  subscription:
    | { readonly recipient: string; readonly events: readonly string[]; readonly groupKeys: readonly string[] | null }
    | undefined,
): string {
  if (subscription === undefined) return NONE;
  const { recipient, events, groupKeys } = subscription;
  return contentVersion([events.toSorted(), groupKeys?.toSorted() ?? 'all', recipient]);
}

/** A breaking change that was decided. */
export interface NamedChange {
  readonly change: string;
  /** Why programs have to follow, and how. */
  readonly reason: string;
}

/**
 * Why the calls cannot be published as they are: breaking changes since the last release without a name and a reason, and names of
 * changes that are not there (HKS-03).
 */
export function faultsOfChanges(changes: readonly string[], named: readonly NamedChange[], file: string): string[] {
  const names = new Set(named.map(({ change }) => change));
  const unnamed = changes.filter((change) => !names.has(change));
  const gone = named.filter(({ change }) => !changes.includes(change));
  const without = named.filter(({ reason }) => reason.trim().length < 10);
  return [
    ...unnamed.map(
      (change) => `Breaking change: "${change}". Keep the call as it was, or name the change in ${file} with a reason.`,
    ),
    ...gone.map(({ change }) => `${file} names "${change}", which is not a breaking change. Remove it.`),
    ...without.map(({ change }) => `${file} gives no reason for "${change}". Say why programs have to follow.`),
  ];
}

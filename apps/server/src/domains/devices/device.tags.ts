import { MAX_TAGS, nameKey, uniqueTags } from '@highline/contract';

/** Tags to add and to remove. Tags are compared as names, without case. */
export interface DeviceTags {
  readonly add: readonly string[];
  readonly remove: readonly string[];
}

/** The tags of a device after a change, in alphabetical order; undefined if there would be too many. */
export function tagsAfter(present: readonly string[], { add, remove }: DeviceTags): string[] | undefined {
  const removed = new Set(remove.map((tag) => nameKey(tag)));
  const left = uniqueTags([...present, ...add]).filter((tag) => !removed.has(nameKey(tag)));
  return left.length > MAX_TAGS ? undefined : storedTags(left);
}

/** Tags in the order in which they are stored: sets with the same tags are equal. */
export function storedTags(tags: readonly string[]): string[] {
  return uniqueTags(tags).toSorted();
}

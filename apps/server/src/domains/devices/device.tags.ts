import { MAX_TAGS } from '@highline/contract';

/** Tags to add and to remove. Tags are compared letter by letter, as those of groups and organizations. */
export interface DeviceTags {
  readonly add: readonly string[];
  readonly remove: readonly string[];
}

/** The tags of a device after a change, in alphabetical order; undefined if there would be too many. */
export function tagsAfter(present: readonly string[], { add, remove }: DeviceTags): string[] | undefined {
  const left = new Set([...present, ...add]);
  for (const tag of remove) left.delete(tag);
  return left.size > MAX_TAGS ? undefined : storedTags([...left]);
}

/** Tags in the order in which they are stored: sets with the same tags are equal. */
export function storedTags(tags: readonly string[]): string[] {
  return [...new Set(tags)].toSorted();
}

import { mayBeSaved, settingsSchema, type Setting } from '@highline/contract';
import type { LevelSettings } from './settings.api.ts';

/** What is typed, by path: '' = the level does not set it, null = a stored secret is kept. */
export type Draft = Readonly<Record<string, string | null>>;

/** The draft of a level as it is stored. */
export function draftOf({ values }: LevelSettings): Draft {
  return Object.fromEntries(values.map(({ path, value }) => [path, value]));
}

/** What a draft sets. */
export function valuesOf(draft: Draft): { path: string; value: string | null }[] {
  return settingsSchema.flatMap(({ path }) => {
    const value = draft[path];
    return value === undefined || value === '' ? [] : [{ path, value }];
  });
}

/** How many values are otherwise than stored. */
export function countChanges(draft: Draft, stored: LevelSettings): number {
  const before = draftOf(stored);
  return settingsSchema.filter(({ path }) => (draft[path] ?? asText(draft, path)) !== (before[path] ?? asText(before, path)))
    .length;
}

/** A kept secret is something else than none. */
function asText(draft: Draft, path: string): string {
  return Object.hasOwn(draft, path) && draft[path] === null ? 'kept' : '';
}

/** Whether a value of the draft can be saved. */
export function isFit(setting: Setting, draft: Draft): boolean {
  const value = draft[setting.path] ?? '';
  return value === '' || mayBeSaved(setting, value);
}

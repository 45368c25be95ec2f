import { entryOf, mayBeSaved, type Setting, type SettingsCatalogue } from '@highline/contract';
import type { LevelSettings } from './settings.api.ts';

/** What is typed, by path: '' = the level does not set it, null = a stored secret is kept. */
export type Draft = Readonly<Record<string, string | null>>;

/** The draft of a level as it is stored. */
export function draftOf({ values }: Pick<LevelSettings, 'values'>): Draft {
  return Object.fromEntries(values.map(({ path, value }) => [path, value]));
}

/** What a draft sets, in the order of the form; last what no schema file has any more, which stays stored. */
export function valuesOf(catalogue: SettingsCatalogue, draft: Draft): { path: string; value: string | null }[] {
  const unknown = Object.keys(draft).filter((path) => catalogue.find(path) === undefined);
  return [...catalogue.inOrder(Object.keys(draft)), ...unknown].flatMap((path) => {
    const value = draft[path];
    return value === undefined || value === '' ? [] : [{ path, value }];
  });
}

/** How many values are otherwise than stored. */
export function countChanges(draft: Draft, stored: LevelSettings): number {
  const before = draftOf(stored);
  const paths = new Set([...Object.keys(draft), ...Object.keys(before)]);
  return [...paths].filter((path) => (draft[path] ?? asText(draft, path)) !== (before[path] ?? asText(before, path))).length;
}

/** A draft on what another user saved since: what was typed stays, everything else is as it is stored now. */
export function rebaseDraft(draft: Draft, before: LevelSettings, now: LevelSettings): Draft {
  const was = draftOf(before);
  const paths = [...new Set([...Object.keys(draft), ...Object.keys(was)])];
  const textOf = (values: Draft, path: string) => (Object.hasOwn(values, path) ? values[path]! : '');
  const typed = paths.filter((path) => textOf(draft, path) !== textOf(was, path)).map((path) => [path, textOf(draft, path)]);
  return { ...draftOf(now), ...(Object.fromEntries(typed) as Draft) };
}

/** A kept secret is something else than none. */
function asText(draft: Draft, path: string): string {
  return Object.hasOwn(draft, path) && draft[path] === null ? 'kept' : '';
}

/** How many stored secrets a draft keeps. */
export function countSecrets(draft: Draft): number {
  return Object.values(draft).filter((value) => value === null).length;
}

/** Whether a value of the draft can be saved. */
export function isFit(setting: Setting, draft: Draft): boolean {
  const value = draft[setting.path] ?? '';
  return value === '' || mayBeSaved(setting, value);
}

/** Names of the entries of a list that a draft or a level above sets. */
export function entriesOf(list: string, draft: Draft, { inherited }: Pick<LevelSettings, 'inherited'>): readonly string[] {
  const set = Object.entries(draft).flatMap(([path, value]) => (value === '' ? [] : [path]));
  const names = [...set, ...inherited.map(({ path }) => path)].flatMap((path) => {
    const at = entryOf(path);
    return at?.list === list ? [at.entry] : [];
  });
  return [...new Set(names)].sort();
}

import { search } from '@highline/contract';
import { readOwn, writeOwn } from '../../../ui/preferences.ts';
import type { RecentEntry } from './entry.ts';

/** What the palette offers before anything is typed. */
const MOST_RECENT = 6;
const NAME = 'palette';

const texts = ['id', 'title', 'detail', 'org', 'orgName'] as const;

function isRecent(value: unknown): value is RecentEntry {
  if (typeof value !== 'object' || value === null) return false;
  const entry = value as Readonly<Record<string, unknown>>;
  return search.foundKinds.some((kind) => kind === entry['kind']) && texts.every((name) => typeof entry[name] === 'string');
}

/** What the signed-in user opened from the palette, the last first. The stored form may be older than this program. */
export function readRecent(): readonly RecentEntry[] {
  const stored = readOwn(NAME);
  return Array.isArray(stored) ? stored.filter((entry) => isRecent(entry)).slice(0, MOST_RECENT) : [];
}

/** Put an entry before the others. */
export function storeRecent(entry: RecentEntry): void {
  const others = readRecent().filter(({ kind, id }) => kind !== entry.kind || id !== entry.id);
  writeOwn(NAME, [entry, ...others].slice(0, MOST_RECENT));
}

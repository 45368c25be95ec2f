import { useSyncExternalStore } from 'react';
import { readStored, writeStored } from './storage.ts';
import { createStore, useStore } from './store.ts';

export type Density = 'comfortable' | 'compact';

/** The user's preferences for one list. The page size is common to all lists; all other list state is in the address. */
export interface ListPreferences {
  readonly density?: Density | undefined;
  /** Ids of columns shown or hidden against their default. */
  readonly columns?: Readonly<Record<string, boolean>> | undefined;
  /** Ids of columns from the first to the last; those that are not named follow. */
  readonly order?: readonly string[] | undefined;
  /** Widths of columns in px, by id, where a person chose them. */
  readonly widths?: Readonly<Record<string, number>> | undefined;
  /** Long texts continue on the next line. */
  readonly wrap?: boolean | undefined;
}

/** The widths that a column may have, in px. */
export const columnWidths = { least: 56, most: 800 } as const;

/** The most rows that any list shows on one page. */
const MOST_ROWS = 200;
const none: ListPreferences = {};
const changed = createStore(0);
const owned = createStore(0);
const known = new Map<string, ListPreferences>();
let preferredSize: number | undefined;
let isSizeRead = false;
let owner = 'signed-out';

/** The user whose preferences are used: people who share a browser do not share their columns. */
export function setPreferenceOwner(id: string): void {
  owner = id;
  known.clear();
  isSizeRead = false;
  changed.set(changed.get() + 1);
  owned.set(owned.get() + 1);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isColumnWidth(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) >= columnWidths.least && (value as number) <= columnWidths.most;
}

/** The stored form may be older than this program, or not ours at all. */
export function parsePreferences(stored: unknown): ListPreferences {
  if (!isRecord(stored)) return none;
  const columns = isRecord(stored.columns)
    ? Object.fromEntries(
        Object.entries(stored.columns).filter((entry): entry is [string, boolean] => typeof entry[1] === 'boolean'),
      )
    : undefined;
  const widths = isRecord(stored.widths)
    ? Object.fromEntries(Object.entries(stored.widths).filter((entry): entry is [string, number] => isColumnWidth(entry[1])))
    : undefined;
  return {
    ...(stored.density === 'compact' || stored.density === 'comfortable' ? { density: stored.density } : {}),
    ...(columns === undefined ? {} : { columns }),
    ...(widths === undefined ? {} : { widths }),
    ...(typeof stored.wrap === 'boolean' ? { wrap: stored.wrap } : {}),
    ...(Array.isArray(stored.order) ? { order: stored.order.map(String) } : {}),
  };
}

function keyOf(list: string): string {
  return `highline.list.${owner}.${list}`;
}

/** A value of the signed-in user that is stored in this browser; the caller checks its shape. */
export function readOwn(name: string): unknown {
  return readStored(`highline.${name}.${owner}`);
}

/** Store a value of the signed-in user in this browser. */
export function writeOwn(name: string, value: unknown): void {
  writeStored(`highline.${name}.${owner}`, value);
  owned.set(owned.get() + 1);
}

/** Render again when such a value changes, or the person. */
export function useOwnChanges(): void {
  useStore(owned);
}

const sizeKey = () => `highline.page-size.${owner}`;

/** A number of rows that a page may have, or undefined. */
export function parsePageSize(stored: unknown): number | undefined {
  return Number.isInteger(stored) && (stored as number) >= 1 && (stored as number) <= MOST_ROWS ? (stored as number) : undefined;
}

function readPreferredSize(): number | undefined {
  if (!isSizeRead) preferredSize = parsePageSize(readStored(sizeKey()));
  isSizeRead = true;
  return preferredSize;
}

/** The page size the user chose; it applies to every list (DECISIONS). Undefined until one is chosen. */
export function usePreferredSize(): number | undefined {
  return useSyncExternalStore(changed.subscribe, readPreferredSize);
}

/** Use this page size on every list from now on. */
export function storePageSize(size: number): void {
  preferredSize = size;
  isSizeRead = true;
  writeStored(sizeKey(), size);
  changed.set(changed.get() + 1);
}

interface AppliedView {
  readonly id: string;
  readonly layout: ListPreferences;
}

/** The saved views by which lists were opened: until they are saved, changes of their columns are stored apart from the list's own. */
const applied = new Map<string, AppliedView>();

function storedName(list: string): string {
  const view = applied.get(list);
  return view === undefined ? list : `${list}@${view.id}`;
}

/**
 * Show a list with the columns of a saved view, or with its own again (BLK-03).
 * @param drop what was changed since the view was opened or saved
 */
export function applyView(list: string, view: AppliedView | undefined, drop?: 'changes'): void {
  if (view === undefined) applied.delete(list);
  else applied.set(list, view);
  const key = keyOf(storedName(list));
  known.delete(key);
  if (drop !== undefined) writeStored(key, undefined);
  changed.set(changed.get() + 1);
}

/** The user's preferences for a list: those of the saved view by which it was opened, with the changes since. */
export function listPreferences(list: string): ListPreferences {
  const key = keyOf(storedName(list));
  const cached = known.get(key);
  if (cached !== undefined) return cached;
  const read = { ...applied.get(list)?.layout, ...parsePreferences(readStored(key)) };
  known.set(key, read);
  return read;
}

/** Store a choice for a list, per person (UX: the choice of columns and density). */
export function storeForList(list: string, change: ListPreferences): void {
  const key = keyOf(storedName(list));
  const next = { ...listPreferences(list), ...change };
  known.set(key, next);
  writeStored(key, next);
  changed.set(changed.get() + 1);
}

/** Follow the user's preferences for a list. */
export function useListPreferences(list: string): ListPreferences {
  return useSyncExternalStore(changed.subscribe, () => listPreferences(list));
}

import { readCookie } from '../cookies.ts';
import { readStored, writeStored } from '../storage.ts';

const KEY = 'highline.lists';

type Search = Readonly<Record<string, unknown>>;
interface Stored {
  /** The session it belongs to: filters are not for the next person at this browser. */
  readonly session: string | undefined;
  readonly searches: Readonly<Record<string, Search>>;
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

function stored(): Stored['searches'] {
  const value = readStored(KEY, sessionStorage);
  if (!isObject(value) || value.session !== readCookie('id') || !isObject(value.searches)) return {};
  return value.searches as Stored['searches'];
}

/** Store the state of the list at a path, for `lastSearch`. */
export function storeSearch(path: string, search: Search): void {
  const session = readCookie('id');
  writeStored(KEY, { session, searches: { ...stored(), [path]: search } } satisfies Stored, sessionStorage);
}

/**
 * The search of a link back to a list: the filters and sorting it had when it was left, in this tab and session. Without its page,
 * because the list opens at the page of a row that was changed meanwhile (SHR-04).
 */
export function lastSearch(path: string): Record<string, never> {
  const search = stored()[path];
  if (!isObject(search)) return {};
  const { page: _page, ...rest } = search;
  return rest as Record<string, never>;
}

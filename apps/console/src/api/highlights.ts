import { useEffect, useState } from 'react';
import { readCookie, writeCookie } from '../ui/cookies.ts';
import { createStore } from '../ui/store.ts';

/** Which cookie marks the changed rows of which list (SHR-04, DECISIONS: users and organizations). */
export const highlightCookies = {
  groups: 'highlineG',
  devices: 'highlineD',
  profiles: 'highlineP',
  users: 'highlineU',
  organizations: 'highlineO',
} as const;
export type Highlighted = keyof typeof highlightCookies;

/** Seconds that changed groups, devices, profiles, config files and a created or updated organization stay marked. */
export const HIGHLIGHT_SECONDS = 60;
/** Seconds for users, and for organizations otherwise. */
export const SHORT_HIGHLIGHT_SECONDS = 5;

// A cookie holds 4 kB; a page of rows is far below this many.
const MOST = 60;

/** The ids a cookie lists. */
export function parseHighlights(cookie: string | undefined): readonly string[] {
  return cookie === undefined || cookie === '' ? [] : cookie.split(',').filter((id) => id !== '');
}

/** The cookie value after more ids were changed: newest first, each once. */
export function mergeHighlights(before: readonly string[], added: readonly string[]): readonly string[] {
  return [...new Set([...added, ...before])].slice(0, MOST);
}

/** How often rows were marked: lists on the screen follow it. */
const marks = createStore(0);

/** Mark rows as just changed; their list opens at their page (SHR-04). */
export function highlight(kind: Highlighted, ids: readonly string[], seconds: number = HIGHLIGHT_SECONDS): void {
  const name = highlightCookies[kind];
  writeCookie(name, mergeHighlights(parseHighlights(readCookie(name)), ids).join(','), seconds);
  marks.set(marks.get() + 1);
}

const readHighlights = (kind: Highlighted | undefined) =>
  kind === undefined ? [] : parseHighlights(readCookie(highlightCookies[kind]));

/** The rows to mark now, newest first. The mark leaves the screen with its cookie. */
export function useHighlights(kind: Highlighted | undefined): readonly string[] {
  const [ids, setIds] = useState(() => readHighlights(kind));
  const any = ids.length > 0;
  useEffect(() => marks.subscribe(() => setIds(readHighlights(kind))), [kind]);
  useEffect(() => {
    if (!any || kind === undefined) return undefined;
    const timer = setInterval(() => {
      if (readCookie(highlightCookies[kind]) === undefined) setIds([]);
    }, 1000);
    return () => clearInterval(timer);
  }, [any, kind]);
  return ids;
}

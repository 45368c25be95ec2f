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

/** A changed row. */
export interface Mark {
  readonly id: string;
  /** Until when it is marked, epoch seconds. */
  readonly end: number;
}

/** The marks a cookie lists that have not ended. @param now epoch seconds */
export function parseHighlights(cookie: string | undefined, now: number): readonly Mark[] {
  const marked = (cookie ?? '').split(',').map((text) => {
    const at = text.lastIndexOf(':');
    return { id: text.slice(0, Math.max(0, at)), end: Number(text.slice(at + 1)) };
  });
  return marked.filter(({ id, end }) => id !== '' && end > now);
}

/** The marks after more ids were changed: newest first, each once, with the end of its last change. */
export function mergeHighlights(before: readonly Mark[], added: readonly string[], end: number): readonly Mark[] {
  const newest = [...new Set(added)].map((id) => ({ id, end }));
  return [...newest, ...before.filter(({ id }) => !added.includes(id))].slice(0, MOST);
}

/** The value of a cookie with these marks. */
export function highlightsText(all: readonly Mark[]): string {
  return all.map(({ id, end }) => `${id}:${end}`).join(',');
}

const epochSeconds = () => Math.floor(Date.now() / 1000);

/** How often rows were marked: lists on the screen follow it. */
const marks = createStore(0);

/** Mark rows as just changed; their list opens at their page (SHR-04). */
export function highlight(kind: Highlighted, ids: readonly string[], seconds: number = HIGHLIGHT_SECONDS): void {
  const now = epochSeconds();
  const all = mergeHighlights(readMarks(kind, now), ids, now + seconds);
  writeCookie(highlightCookies[kind], highlightsText(all), Math.max(0, ...all.map(({ end }) => end - now)));
  marks.set(marks.get() + 1);
}

const readMarks = (kind: Highlighted, now: number) => parseHighlights(readCookie(highlightCookies[kind]), now);

const readHighlights = (kind: Highlighted | undefined) =>
  kind === undefined ? [] : readMarks(kind, epochSeconds()).map(({ id }) => id);

/** The rows to mark now, newest first. Each mark leaves the screen at its end. */
export function useHighlights(kind: Highlighted | undefined): readonly string[] {
  const [ids, setIds] = useState(() => readHighlights(kind));
  const any = ids.length > 0;
  useEffect(() => marks.subscribe(() => setIds(readHighlights(kind))), [kind]);
  useEffect(() => {
    if (!any) return undefined;
    const timer = setInterval(() => {
      const left = readHighlights(kind);
      setIds((before) => (left.length === before.length ? before : left));
    }, 1000);
    return () => clearInterval(timer);
  }, [any, kind]);
  return ids;
}

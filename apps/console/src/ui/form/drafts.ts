import { useEffect, useRef, useState } from 'react';
import { readStored, writeStored } from '../storage.ts';

/** The user's unsaved input, restored. */
export interface Draft<Values> {
  /** Offered once, when the form opens and something was kept. */
  readonly found: Values | undefined;
  /** The user restored or discarded it. */
  readonly discard: () => void;
}

function keyOf(owner: string, form: string): string {
  return `highline.draft.${owner}.${form}`;
}

function write(key: string | undefined, values: unknown): void {
  if (key !== undefined) writeStored(key, values, sessionStorage);
}

/** The drafts of the input on this page. */
const drafts = new Set<string>();

/** Whether some of the unsaved input on this page is kept: a browser may reject it, and not every form keeps its input. */
export function hasKeptInput(): boolean {
  return [...drafts].some((key) => readStored(key, sessionStorage) !== undefined);
}

/** Take a kept draft away: it was saved, or discarded on purpose. */
export function dropDraft(owner: string, form: string | undefined): void {
  if (form !== undefined) write(keyOf(owner, form), undefined);
}

/**
 * Keep the input while the tab is open, so that a sign-out loses nothing (UX). It is stored under the user's id, so another user
 * of this browser is not offered it. Never use it for a form with a password.
 * @param form undefined: nothing is kept
 */
export function useDraft<Values>(
  owner: string,
  form: string | undefined,
  values: Values,
  dirty: boolean,
  parse: (stored: unknown) => Values | undefined,
): Draft<Values> {
  const key = form === undefined ? undefined : keyOf(owner, form);
  const [found, setFound] = useState(() => (key === undefined ? undefined : parse(readStored(key, sessionStorage))));
  const wasDirty = useRef(false);
  useEffect(() => {
    if (dirty) write(key, values);
    else if (wasDirty.current) write(key, undefined);
    wasDirty.current = dirty;
    if (!dirty || key === undefined) return undefined;
    drafts.add(key);
    return () => void drafts.delete(key);
  }, [key, values, dirty]);
  return { found, discard: () => setFound(undefined) };
}

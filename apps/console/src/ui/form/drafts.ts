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
  }, [key, values, dirty]);
  return { found, discard: () => setFound(undefined) };
}

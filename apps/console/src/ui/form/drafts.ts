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

/** Take a kept draft away: it was saved, or discarded on purpose. */
export function dropDraft(owner: string, form: string): void {
  writeStored(keyOf(owner, form), undefined, sessionStorage);
}

/**
 * Keep the input while the tab is open, so that a sign-out loses nothing (UX). It is stored under the user's id, so another user
 * of this browser is not offered it. Never use it for a form with a password.
 */
export function useDraft<Values>(
  owner: string,
  form: string,
  values: Values,
  dirty: boolean,
  parse: (stored: unknown) => Values | undefined,
): Draft<Values> {
  const key = keyOf(owner, form);
  const [found, setFound] = useState(() => parse(readStored(key, sessionStorage)));
  const wasDirty = useRef(false);
  useEffect(() => {
    if (dirty) writeStored(key, values, sessionStorage);
    else if (wasDirty.current) writeStored(key, undefined, sessionStorage);
    wasDirty.current = dirty;
  }, [key, values, dirty]);
  return { found, discard: () => setFound(undefined) };
}

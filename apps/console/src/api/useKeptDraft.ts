import { hashKey } from '@tanstack/react-query';
import { type RefObject, useEffect, useMemo, useRef } from 'react';
import { dropDraft, useDraft } from '../ui/form/drafts.ts';
import type { EntityFormOptions, Stored } from './entity-form.ts';
import { useSession } from './session.ts';

export type InputOptions<Values> = Omit<EntityFormOptions<Values, unknown>, 'save' | 'onSaved'>;

export const isSame = (one: unknown, other: unknown) => hashKey([one]) === hashKey([other]);

/** The fields of `now` that differ. */
export function changesOf<Values extends object>(before: Values, now: Values): Partial<Values> {
  const changed = Object.entries(now).filter(([field, value]) => !isSame(value, before[field as keyof Values]));
  return Object.fromEntries(changed) as Partial<Values>;
}

/** The fields of a kept draft that have the type of the form's own. */
function parseDraft<Values extends object>(kept: object, like: Values): Partial<Values> | undefined {
  const fields = Object.entries(kept).filter(([field, value]) => {
    const own: unknown = like[field as keyof Values];
    return own !== undefined && typeof own === typeof value && Array.isArray(own) === Array.isArray(value);
  });
  return fields.length === 0 ? undefined : (Object.fromEntries(fields) as Partial<Values>);
}

/** The kept draft that may be restored. */
export function useKeptDraft<Values extends object>(
  options: InputOptions<Values>,
  input: { readonly base: Stored<Values>; readonly values: Values; readonly dirty: boolean },
) {
  const { draft: name, stored } = options;
  const { base, values, dirty } = input;
  const { id: owner } = useSession();
  const kept = useMemo(() => changesOf(base.values, values), [base.values, values]);
  const parse = options.parseDraft ?? ((found: object) => parseDraft(found, stored.values));
  const draft = useDraft(owner, name, kept, dirty, (found) =>
    typeof found === 'object' && found !== null ? parse(found) : undefined,
  );
  return { drop: () => dropDraft(owner, name), discard: draft.discard, found: dirty ? undefined : draft.found };
}

/** A save that waits for the one on its way: what was typed since is then sent too, based on what that one stored. */
export function useInOrder(save: () => Promise<boolean>, isSaving: RefObject<boolean>): () => Promise<boolean> {
  const latest = useRef(save);
  const waiting = useRef<(() => void)[]>([]);
  // After each rendering: the end of a save renders the form with what it has changed.
  useEffect(() => {
    latest.current = save;
    if (!isSaving.current) for (const go of waiting.current.splice(0)) go();
  });
  return async () => {
    if (isSaving.current) await new Promise<void>((resolve) => waiting.current.push(resolve));
    return latest.current();
  };
}

import { type FetchQueryOptions, type QueryClient, type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useUnsavedChanges } from '../ui/form/useUnsavedChanges.ts';
import { toast } from '../ui/toasts.ts';
import type { EntityForm, EntityFormOptions, Current } from './entity-form.ts';
import { ApiError } from './errors.ts';
import { useExplain, useInput, unchangedValue } from './useExplain.ts';
import { useFaults, type Faults } from './useFaults.ts';
import { useKeptDraft, useInOrder } from './useKeptDraft.ts';

/** Load the current values after a stale save. @param query answers null for what does not exist */
export function reload<Data, Values, Key extends QueryKey>(
  query: FetchQueryOptions<Data | null, Error, Data | null, Key>,
  read: (data: Data) => Current<Values>,
) {
  return async (_error: ApiError, client: QueryClient): Promise<Current<Values> | undefined> => {
    const data = await client.fetchQuery({ ...query, staleTime: 0 });
    return data === null ? undefined : read(data);
  };
}

/** The current values from the answer to a stale save, which contains them. @returns undefined if it does not */
export function readDetail<Entity, Values>(read: (entity: Entity) => Current<Values>) {
  return async ({ detail }: ApiError): Promise<Current<Values> | undefined> =>
    detail === undefined ? undefined : read(detail as Entity);
}

/**
 * The form of a stored or new entity: its input, validation, drafts, saving, and what another user saves meanwhile. A stale save
 * (412) keeps the input, shows the current values, and saving again overwrites them (docs/domains/console.md).
 */
export function useEntityForm<Values extends object, Result = void>(
  options: EntityFormOptions<Values, Result>,
): EntityForm<Values> {
  const { leave = 'save', normalize = unchangedValue } = options;
  const required = (options.required ?? {}) as Faults<Values>;
  const client = useQueryClient();
  const [saving, setSaving] = useState(false);
  /** How many saves have ended: each renders the form once more. */
  const [, setEnded] = useState(0);
  const isSaving = useRef(false);
  /** Nothing was typed since the last save: true already before the form is rendered again, so that leaving does not ask. */
  const isSaved = useRef(false);
  const edits = useRef(0);
  const input = useInput(options, saving);
  const { values, base, dirty } = input;
  const savable = dirty || options.savesUnchanged === true;
  const faults = useFaults<Values>(values, required);
  const draft = useKeptDraft(options, input);
  const explain = useExplain(options, input, faults);
  const reason = options.blocked?.(values) ?? faults.shown;

  const set = (part: Partial<Values>) => {
    edits.current += 1;
    isSaved.current = false;
    input.change(part);
    faults.typed(...Object.keys(part));
    faults.touch(...Object.keys(part));
  };
  const send = async (): Promise<boolean> => {
    const sent = normalize(values);
    const editsSent = edits.current;
    const result = await options.save(sent, base, input.rebase).catch(async (error: unknown) => {
      await explain(error);
      return false as const;
    });
    if (result === false) return false;
    isSaved.current = edits.current === editsSent;
    input.saved(sent);
    draft.drop();
    if (options.done !== undefined) toast(options.done);
    options.onSaved?.(result, leaving.current);
    await Promise.all((options.refresh ?? []).map((topic) => client.invalidateQueries({ queryKey: [topic] })));
    return true;
  };
  const check = () => faults.check({ ...faults.missing(), ...options.validate?.(normalize(values)) });
  const save = async (): Promise<boolean> => {
    if (isSaving.current || reason !== undefined) return false;
    if (!check()) return false;
    isSaving.current = true;
    setSaving(true);
    try {
      return await send();
    } finally {
      isSaving.current = false;
      setSaving(false);
      setEnded((before) => before + 1);
    }
  };
  const saveInOrder = useInOrder(save, isSaving);
  const leaving = useUnsavedChanges(dirty && leave !== 'free', {
    save: leave === 'save' ? saveInOrder : undefined,
    isSaved,
    onDiscard: draft.drop,
  });

  const restorable = draft.found;
  const onRestore = () => {
    set(restorable ?? {});
    draft.discard();
  };
  const onDiscard = () => {
    draft.drop();
    draft.discard();
  };
  const field = <Field extends keyof Values & string>(name: Field) => ({
    name,
    value: values[name],
    error: faults.of(name),
    onChange: (value: Values[Field], problem?: string) => {
      set({ [name]: value } as unknown as Partial<Values>);
      faults.deny(name, problem);
    },
  });
  return {
    values,
    base,
    dirty,
    savable,
    saving,
    reason,
    ref: faults.ref,
    draft: restorable === undefined ? undefined : { onRestore, onDiscard },
    set,
    touch: (name) => faults.touch(name as string),
    field,
    text: (name) => ({
      ...(required[name] !== undefined && { label: required[name], withAsterisk: true, 'aria-required': true }),
      ...field(name),
      value: values[name] as string,
      onChange: (event) => set({ [name]: event.currentTarget.value } as Partial<Values>),
    }),
    check,
    save,
    submit: (event) => {
      event?.preventDefault();
      if (savable) void save();
    },
    abandon: () => {
      isSaved.current = true;
      draft.drop();
      input.follow();
    },
  };
}

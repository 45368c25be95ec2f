import { type FetchQueryOptions, hashKey, type QueryClient, type QueryKey, useQueryClient } from '@tanstack/react-query';
import { type ChangeEvent, type FormEvent, type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from '#i18n';
import { useSession } from './session.ts';
import { showMessage } from '../ui/dialogs.ts';
import { dropDraft, useDraft } from '../ui/form/drafts.ts';
import { useUnsavedChanges } from '../ui/form/useUnsavedChanges.ts';
import { sentences } from '../ui/sentences.ts';
import { toast } from '../ui/toasts.ts';
import { ApiError, explanationOf, isNetworkFault } from './errors.ts';
import { type Redirect, useShowError } from './useAction.ts';
import { useErrorText } from './useErrorText.ts';

/** Stored values, with the ETag or version a save is based on. */
export interface Stored<Values> {
  readonly values: Values;
  readonly etag?: string | undefined;
}

/** What another user has saved, and the message about it. */
export interface Current<Values> extends Stored<Values> {
  readonly text: string;
}

/** Messages under the fields. */
export type Faults<Values> = { readonly [Field in keyof Values]?: string | undefined };

type TextField<Values> = { [Field in keyof Values]: Values[Field] extends string ? Field : never }[keyof Values] & string;

export interface EntityFormOptions<Values, Result> {
  /** What the form starts from: constant for a new entity. Without changes, the form follows every other ETag. */
  readonly stored: Stored<Values>;
  /** Send the values. @param base what the changes are based on @returns false if the user decided against it */
  readonly save: (values: Values, base: Stored<Values>) => Promise<Result | false>;
  /** Called once it is saved, so it may navigate without a question. `leaving`: the user saved in order to leave. */
  readonly onSaved?: (result: Result, leaving: boolean) => void;
  /** The toast after a save. */
  readonly done?: string;
  /** The queries to load again after a save. */
  readonly refresh?: readonly string[];
  /** The values as they are compared and sent: trimmed, for one. */
  readonly normalize?: (values: Values) => Values;
  /** Whether two inputs are the same; otherwise their normalized values are compared. */
  readonly isSame?: (one: Values, other: Values) => boolean;
  /** Applied to every input: values that follow from others. */
  readonly derive?: (values: Values) => Values;
  /** What is left of the input after a save. */
  readonly afterSave?: (values: Values) => Values;
  /** The labels of the fields that must not be empty. */
  readonly required?: { readonly [Field in TextField<Values>]?: string };
  /** Faults that are found when the form is sent, by field. */
  readonly validate?: (values: Values) => Faults<Values>;
  /** Why it cannot be saved yet; shown at the Save button. */
  readonly blocked?: (values: Values) => string | undefined;
  /** The field a rejection of the server belongs to, or the messages to show for it. */
  readonly fieldOf?: (error: ApiError) => string | Faults<Values> | undefined;
  /** What another user has saved since; undefined if it cannot be shown. See `reload`. */
  readonly stale?: (error: ApiError, client: QueryClient) => Promise<Current<Values> | undefined>;
  /** The list that replaces the page if the entity is gone. */
  readonly gone?: Redirect;
  /** The input is dropped after a failure, unless the server was not reached (ORG-06). */
  readonly startsOver?: boolean;
  /** A part of the page that saves with this form has changes. */
  readonly alsoDirty?: (values: Values) => boolean;
  /** Name of the draft that is kept while the tab is open. */
  readonly draft?: string;
  /** Validates the changed fields of a kept draft. Left out: each must have the type of the stored value. */
  readonly parseDraft?: (kept: object) => Partial<Values> | undefined;
  /** Leaving with changes: offers to save (the default), only asks, or is free, as in a dialog. */
  readonly leave?: 'save' | 'ask' | 'free';
}

type InputOptions<Values> = Omit<EntityFormOptions<Values, unknown>, 'save' | 'onSaved'>;

/** The state of a form, and what its parts need. */
export interface EntityForm<Values> {
  readonly values: Values;
  readonly base: Stored<Values>;
  readonly dirty: boolean;
  readonly saving: boolean;
  /** Why it cannot be saved yet, except that nothing has changed. */
  readonly reason: string | undefined;
  readonly ref: RefObject<HTMLFormElement | null>;
  /** A draft that may be restored. */
  readonly draft: { readonly onRestore: () => void; readonly onDiscard: () => void } | undefined;
  readonly set: (part: Partial<Values>) => void;
  /** The user left a field: if it is required and empty, that is shown. */
  readonly touch: (field: keyof Values) => void;
  /** Name, value, fault and change of a field. */
  readonly field: <Field extends keyof Values & string>(
    field: Field,
  ) => { name: Field; value: Values[Field]; error: string | undefined; onChange: (value: Values[Field]) => void };
  /** The same for an input or select; with its label and marks where it is required. */
  readonly text: (field: TextField<Values>) => {
    label?: string | undefined;
    withAsterisk?: boolean;
    'aria-required'?: boolean;
    name: string;
    value: string;
    error: string | undefined;
    onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement>) => void;
  };
  /** @returns whether it was saved; false too for a second submit while the first is on its way */
  readonly save: () => Promise<boolean>;
  readonly submit: (event?: FormEvent) => void;
  /** Drop the changes and the draft; leaving does not ask. */
  readonly abandon: () => void;
}

const unchanged = <Values>(values: Values): Values => values;

const isSame = (one: unknown, other: unknown) => hashKey([one]) === hashKey([other]);

/** The fields of `now` that differ. */
export function changesOf<Values extends object>(before: Values, now: Values): Partial<Values> {
  const changed = Object.entries(now).filter(([field, value]) => !isSame(value, before[field as keyof Values]));
  return Object.fromEntries(changed) as Partial<Values>;
}

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

/** The fields of a kept draft that have the type of the form's own. */
function parseDraft<Values extends object>(kept: object, like: Values): Partial<Values> | undefined {
  const fields = Object.entries(kept).filter(([field, value]) => {
    const own: unknown = like[field as keyof Values];
    return own !== undefined && typeof own === typeof value && Array.isArray(own) === Array.isArray(value);
  });
  return fields.length === 0 ? undefined : (Object.fromEntries(fields) as Partial<Values>);
}

/** The input and what it is based on; without changes it follows what is stored. */
function useInput<Values extends object>(options: InputOptions<Values>, saving: boolean) {
  const { stored, alsoDirty, normalize = unchanged, derive = unchanged, afterSave = unchanged } = options;
  const [{ base, shown, values }, setState] = useState({ base: stored, shown: stored.etag, values: stored.values });
  const isEqual = options.isSame ?? ((one: Values, other: Values) => isSame(normalize(one), normalize(other)));
  const dirty = !isEqual(values, base.values) || alsoDirty?.(values) === true;
  const follow = () => setState({ base: stored, shown: stored.etag, values: stored.values });
  if (!saving && stored.etag !== shown) {
    // Without changes, follow what other users save. With changes, keep them: saving detects the difference.
    if (!dirty) follow();
    // Typed since a save of our own: its tag is known now, unless another user has saved too.
    else if (base.etag === undefined) {
      setState({ base: isEqual(stored.values, base.values) ? stored : { ...base, etag: shown }, shown: stored.etag, values });
    }
  }
  return {
    base,
    values,
    dirty,
    follow,
    change: (part: Partial<Values>) => setState((before) => ({ ...before, values: derive({ ...before.values, ...part }) })),
    /** Keep the input, and base it on what another user saved. */
    rebase: (current: Stored<Values>) => setState((before) => ({ base: current, shown: current.etag, values: before.values })),
    /** Base the input on what was saved; the loaded entity is still the previous one. */
    saved: (sent: Values) =>
      setState((before) => ({ base: { values: afterSave(sent) }, shown: stored.etag, values: afterSave(before.values) })),
  };
}

/** The faults of the fields: required ones that are empty, and those of the last rejection. */
function useFaults<Values extends object>(values: Values, required: Faults<Values>) {
  const { t } = useTranslation();
  const [rejected, setRejected] = useState<Faults<Values>>({});
  const [rejections, setRejections] = useState(0);
  const [touched, setTouched] = useState<Partial<Record<keyof Values, boolean>>>({});
  const ref = useRef<HTMLFormElement>(null);
  const fields = Object.keys(required) as (keyof Values)[];
  const missing = (field: keyof Values): string | undefined => {
    const label = required[field];
    return label !== undefined && String(values[field]).trim() === '' ? t('ui.form.required', { field: label }) : undefined;
  };
  const shownMissing = (field: keyof Values) => (touched[field] === true ? missing(field) : undefined);
  // Each rejection moves the focus, and the correction of one of its fields does not.
  useEffect(() => {
    if (rejections > 0) ref.current?.querySelector<HTMLElement>('[aria-invalid="true"], button[data-invalid]')?.focus();
  }, [rejections]);
  const marked = <Mark>(names: readonly string[], mark: Mark) => Object.fromEntries(names.map((name) => [name, mark]));
  return {
    ref,
    /** The first one that is shown and keeps the form from being saved. */
    shown: fields.map(shownMissing).find((text) => text !== undefined),
    of: (field: keyof Values) => rejected[field] ?? shownMissing(field),
    touch: (...names: string[]) => setTouched((before) => ({ ...before, ...marked(names, true) })),
    untouch: () => setTouched({}),
    typed: (...names: string[]) => setRejected((before) => ({ ...before, ...marked(names, undefined) })),
    /** Show these faults. @returns whether there are none */
    check(faults: Faults<Values>): boolean {
      setRejected(faults);
      const isGood = Object.values(faults).every((text) => text === undefined);
      if (!isGood) setRejections((before) => before + 1);
      return isGood;
    },
    missing: () => Object.fromEntries(fields.map((field) => [field, missing(field)])) as Faults<Values>,
  };
}

/** The kept draft that may be restored. */
function useKeptDraft<Values extends object>(
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

/** Shows why a save failed: the values of another user, a message at a field, or a dialog. */
function useExplain<Values extends object>(
  options: InputOptions<Values>,
  input: ReturnType<typeof useInput<Values>>,
  faults: ReturnType<typeof useFaults<Values>>,
): (error: unknown) => Promise<void> {
  const { t } = useTranslation();
  const client = useQueryClient();
  const errorText = useErrorText();
  const showError = useShowError(options.gone);
  return async (error) => {
    if (error instanceof ApiError) {
      const current = error.key === 'conflict.stale' ? await options.stale?.(error, client) : undefined;
      if (current !== undefined) {
        input.rebase(current);
        return showMessage({ title: t('ui.dialog.warningTitle'), text: current.text });
      }
      const field = options.fieldOf?.(error);
      const text = sentences([errorText(error), explanationOf(error)]);
      const found = typeof field === 'string' ? (field in input.values ? { [field]: text } : undefined) : field;
      if (found !== undefined) return void faults.check(found as Faults<Values>);
    }
    await showError(error);
    if (options.startsOver !== true || isNetworkFault(error)) return;
    input.follow();
    faults.untouch();
  };
}

/** A save that waits for the one on its way: what was typed since is then sent too, based on what that one stored. */
function useInOrder(save: () => Promise<boolean>, isSaving: RefObject<boolean>): () => Promise<boolean> {
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

/**
 * The form of a stored or new entity: its input, validation, drafts, saving, and what another user saves meanwhile. A stale save
 * (412) keeps the input, shows the current values, and saving again overwrites them (docs/domains/console.md).
 */
export function useEntityForm<Values extends object, Result = void>(
  options: EntityFormOptions<Values, Result>,
): EntityForm<Values> {
  const { leave = 'save', normalize = unchanged } = options;
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
    const result = await options.save(sent, base).catch(async (error: unknown) => {
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
  const save = async (): Promise<boolean> => {
    if (isSaving.current || reason !== undefined) return false;
    if (!faults.check({ ...faults.missing(), ...options.validate?.(normalize(values)) })) return false;
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
  const leaving = useUnsavedChanges(dirty && leave !== 'free', leave === 'save' ? saveInOrder : undefined, 'path', isSaved);

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
    onChange: (value: Values[Field]) => set({ [name]: value } as unknown as Partial<Values>),
  });
  return {
    values,
    base,
    dirty,
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
    save,
    submit: (event) => {
      event?.preventDefault();
      if (dirty) void save();
    },
    abandon: () => {
      isSaved.current = true;
      draft.drop();
      input.follow();
    },
  };
}

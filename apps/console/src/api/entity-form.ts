import type { QueryClient } from '@tanstack/react-query';
import type { ChangeEvent, FormEvent, RefObject } from 'react';
import { ApiError } from './errors.ts';
import type { Redirect } from './useAction.ts';
import type { Faults } from './useFaults.ts';

/** Stored values, with the ETag or version a save is based on. */
export interface Stored<Values> {
  readonly values: Values;
  readonly etag?: string | undefined;
}

/** What another user has saved, and the message about it. */
export interface Current<Values> extends Stored<Values> {
  readonly text: string;
}

type TextField<Values> = { [Field in keyof Values]: Values[Field] extends string ? Field : never }[keyof Values] & string;

/** What another user has saved since; undefined if it cannot be shown. See `reload` and `readDetail`. */
type Stale<Values> = (error: ApiError, client: QueryClient) => Promise<Current<Values> | undefined>;

/**
 * What the form starts from: constant for a new entity. Without changes, the form follows every other ETag. With one, the form says
 * what a stale save shows: undefined only where the call has no version.
 */
type StoredOptions<Values> =
  | { readonly stored: { readonly values: Values; readonly etag?: undefined }; readonly stale?: Stale<Values> | undefined }
  | { readonly stored: Stored<Values>; readonly stale: Stale<Values> | undefined };

export type EntityFormOptions<Values, Result> = StoredOptions<Values> & FormOptions<Values, Result>;

interface FormOptions<Values, Result> {
  /** Send the values. @param base what the changes are based on @returns false if the user decided against it */
  readonly save: (values: Values, base: Stored<Values>, rebase: (saved: Stored<Values>) => void) => Promise<Result | false>;
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
  /** The list that replaces the page if the entity is gone. */
  readonly gone?: Redirect;
  /** The input is dropped after a failure, unless the server was not reached (ORG-06). */
  readonly startsOver?: boolean;
  /** A part of the page that saves with this form has changes. */
  readonly alsoDirty?: (values: Values) => boolean;
  /** It may be saved without a change: what is stored acts in the name of who saves it. */
  readonly savesUnchanged?: boolean;
  /** Name of the draft that is kept while the tab is open. */
  readonly draft?: string;
  /** Validates the changed fields of a kept draft. Left out: each must have the type of the stored value. */
  readonly parseDraft?: (kept: object) => Partial<Values> | undefined;
  /** Leaving with changes: offers to save (the default), only asks, or is free, as in a dialog. */
  readonly leave?: 'save' | 'ask' | 'free';
}

/** The state of a form, and what its parts need. */
export interface EntityForm<Values> {
  readonly values: Values;
  readonly base: Stored<Values>;
  readonly dirty: boolean;
  /** Whether there is something to save: changes, or what is to act in another name. */
  readonly savable: boolean;
  readonly saving: boolean;
  /** Why it cannot be saved yet, except that nothing has changed. */
  readonly reason: string | undefined;
  readonly ref: RefObject<HTMLFormElement | null>;
  /** A draft that may be restored. */
  readonly draft: { readonly onRestore: () => void; readonly onDiscard: () => void } | undefined;
  readonly set: (part: Partial<Values>) => void;
  /** The user left a field: if it is required and empty, that is shown. */
  readonly touch: (field: keyof Values) => void;
  /** Name, value, fault and change of a field. An empty value may come with the problem of what was typed. */
  readonly field: <Field extends keyof Values & string>(
    field: Field,
  ) => {
    name: Field;
    value: Values[Field];
    error: string | undefined;
    onChange: (value: Values[Field], problem?: string) => void;
  };
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
  /** Show what was typed wrong, as saving does. @returns whether nothing was */
  readonly check: () => boolean;
  /** @returns whether it was saved; false too for a second submit while the first is on its way */
  readonly save: () => Promise<boolean>;
  readonly submit: (event?: FormEvent) => void;
  /** Drop the changes and the draft; leaving does not ask. */
  readonly abandon: () => void;
}

import { type RefObject, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../../api/errors.ts';
import { useErrorText } from '../../../api/useErrorText.ts';
import { sentences } from '../../../ui/sentences.ts';
import type { Problem } from './device-add.ts';

/** The faults of the fields of a form: from its own validation, and from the server. */
export interface FieldFaults<Field extends string> {
  /** The form's inputs, by name. */
  readonly form: RefObject<HTMLFormElement | null>;
  /** The message under a field; undefined when it has no fault. */
  textOf(field: Field): string | undefined;
  /** Show the faults found by the form, replacing earlier ones. */
  show(problems: Readonly<Partial<Record<Field, Problem>>>): void;
  /** Show a server failure at its field and focus it. @returns false if it belongs to no field; nothing was shown */
  reject(error: unknown, field: Field | undefined): boolean;
  /** The user typed: the fault of this field is cleared. */
  discard(field: Field): void;
  focusOn(field: Field): void;
}

/** @param labels the labels of the fields */
export function useFieldFaults<Field extends string>(labels: Readonly<Record<Field, string>>): FieldFaults<Field> {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const form = useRef<HTMLFormElement>(null);
  const [problems, setProblems] = useState<Readonly<Partial<Record<Field, Problem>>>>();
  const [rejection, setRejection] = useState<{ readonly field: Field; readonly text: string }>();
  const focusOn = (field: Field) => form.current?.querySelector<HTMLElement>(`[name="${field}"]`)?.focus();
  return {
    form,
    focusOn,
    textOf(field) {
      if (rejection?.field === field) return rejection.text;
      const problem = problems?.[field];
      if (problem === undefined) return undefined;
      if (problem === 'reversed') return t('deviceForms.reversed');
      return t(problem === 'required' ? 'ui.form.required' : 'ui.form.format', { field: labels[field] });
    },
    show(found) {
      setProblems(found);
      setRejection(undefined);
    },
    reject(error, field) {
      if (!(error instanceof ApiError) || field === undefined) return false;
      setRejection({ field, text: sentences([errorText(error), error.reason ?? '']) });
      focusOn(field);
      return true;
    },
    discard(field) {
      setProblems((before) => before && { ...before, [field]: undefined });
      setRejection((before) => (before?.field === field ? undefined : before));
    },
  };
}

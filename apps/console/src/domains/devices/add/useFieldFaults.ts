import { type RefObject, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../../api/errors.ts';
import { useErrorText } from '../../../api/useErrorText.ts';
import { sentences } from '../../../ui/sentences.ts';
import type { Problem } from './device-add.ts';

/** What is wrong with the fields of a form: what it found itself, and what the server refused at one of them. */
export interface FieldFaults<Field extends string> {
  /** Of the form whose fields these are, each by its name. */
  readonly form: RefObject<HTMLFormElement | null>;
  /** What stands under a field; undefined where nothing is wrong with it. */
  textOf(field: Field): string | undefined;
  /** Show what the form found, in place of all that was said before. */
  show(problems: Readonly<Partial<Record<Field, Problem>>>): void;
  /** Show what the server refused and go there. @returns false where that is at no field, and nothing was shown */
  refuse(error: unknown, field: Field | undefined): boolean;
  /** Something was typed: what was said of this field holds no more. */
  discard(field: Field): void;
  focusOn(field: Field): void;
}

/** @param labels what the fields are called, in the words of their form */
export function useFieldFaults<Field extends string>(labels: Readonly<Record<Field, string>>): FieldFaults<Field> {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const form = useRef<HTMLFormElement>(null);
  const [problems, setProblems] = useState<Readonly<Partial<Record<Field, Problem>>>>();
  const [refusal, setRefusal] = useState<{ readonly field: Field; readonly text: string }>();
  const focusOn = (field: Field) => form.current?.querySelector<HTMLElement>(`[name="${field}"]`)?.focus();
  return {
    form,
    focusOn,
    textOf(field) {
      if (refusal?.field === field) return refusal.text;
      const problem = problems?.[field];
      if (problem === undefined) return undefined;
      if (problem === 'reversed') return t('deviceForms.reversed');
      return t(problem === 'required' ? 'ui.form.required' : 'ui.form.format', { field: labels[field] });
    },
    show(found) {
      setProblems(found);
      setRefusal(undefined);
    },
    refuse(error, field) {
      if (!(error instanceof ApiError) || field === undefined) return false;
      setRefusal({ field, text: sentences([errorText(error), error.reason ?? '']) });
      focusOn(field);
      return true;
    },
    discard(field) {
      setProblems((before) => before && { ...before, [field]: undefined });
      setRefusal((before) => (before?.field === field ? undefined : before));
    },
  };
}

import { useEffect, useRef, useState } from 'react';
import { useTranslation } from '#i18n';

/** Messages under the fields. */
export type Faults<Values> = { readonly [Field in keyof Values]?: string | undefined };

/** The faults of the fields: required ones that are empty, those with what is no value, and those of the last rejection. */
export function useFaults<Values extends object>(values: Values, required: Faults<Values>) {
  const { t } = useTranslation();
  const [rejected, setRejected] = useState<Faults<Values>>({});
  /** What was typed there is no value, and why. */
  const [invalid, setInvalid] = useState<Faults<Values>>({});
  const [rejections, setRejections] = useState(0);
  const [touched, setTouched] = useState<Partial<Record<keyof Values, boolean>>>({});
  const ref = useRef<HTMLFormElement>(null);
  const fields = Object.keys(required) as (keyof Values)[];
  const missing = (field: keyof Values): string | undefined => {
    const label = required[field];
    if (String(values[field] ?? '').trim() !== '') return undefined;
    return invalid[field] ?? (label === undefined ? undefined : t('ui.form.required', { field: label }));
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
    typed(...names: string[]): void {
      setRejected((before) => ({ ...before, ...marked(names, undefined) }));
      setInvalid((before) => ({ ...before, ...marked(names, undefined) }));
    },
    /** What was typed in a field is no value. @param problem undefined: it is one */
    deny: (name: string, problem: string | undefined) => setInvalid((before) => ({ ...before, [name]: problem })),
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

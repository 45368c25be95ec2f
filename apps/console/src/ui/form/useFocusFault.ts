import { type RefObject, useEffect, useRef } from 'react';

/**
 * After a rejected save, the first faulty field of the form takes the focus (UX: forms).
 * @param fault the fault; undefined, false or '' = none
 */
export function useFocusFault<Form extends HTMLElement = HTMLFormElement>(
  fault: string | boolean | undefined,
): RefObject<Form | null> {
  const form = useRef<Form>(null);
  const faulty = fault !== undefined && fault !== false && fault !== '';
  useEffect(() => {
    if (faulty) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [faulty]);
  return form;
}

import { type RefObject, useEffect, useRef } from 'react';

/**
 * The form whose save was refused: its first faulty field takes the focus, to be heard and mended (UX: forms).
 * @param fault what is wrong; undefined, false or '' = nothing
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

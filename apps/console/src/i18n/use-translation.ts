import type { TFunction } from 'i18next';
import { useSyncExternalStore } from 'react';
import type { Language } from '../ui/language.ts';
import { createMessages, type Values } from './messages.ts';

/** All messages that are loaded. */
export const messages = createMessages();

/** The language of the page, as the hook below gives it to components. */
interface Translation {
  readonly t: TFunction;
  readonly i18n: { readonly language: Language; readonly exists: (key: string) => boolean };
}

/** The function by which a language is written. It is typed by the catalogue, as i18next declares it. */
function textsOf(language: string): TFunction {
  return ((key: string, values?: Values) => messages.text(language, key, values)) as unknown as TFunction;
}

const of = (language: Language): Translation => ({
  t: textsOf(language),
  i18n: { language, exists: (key) => messages.exists(language, key) },
});

let current: Translation = of('en-US');
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Every component that uses messages is rendered again, in this language. */
export function switchLanguage(language: Language): void {
  current = of(language);
  for (const listener of listeners) listener();
}

/** The messages in the language of the page; both parts change with the language alone. */
export function useTranslation(): Translation {
  return useSyncExternalStore(subscribe, () => current);
}

import { createStore, useStore } from './store.ts';

export const languages = ['en-US', 'zh-TW'] as const;
export type Language = (typeof languages)[number];

/** The storage key of the choice; the sign-in page and the static pages read it too. Plain text, not JSON. */
const KEY = 'highline.language';

/** The stored language, or English (NAV-07: en-US by default). */
export function parseLanguage(stored: string | null): Language {
  return languages.find((language) => language === stored) ?? 'en-US';
}

function storedLanguage(): Language {
  try {
    return parseLanguage(localStorage.getItem(KEY));
  } catch {
    return 'en-US';
  }
}

const language = createStore<Language>('en-US');

/** Take up the stored language; once, before the first screen. */
export function loadLanguage(): Language {
  language.set(storedLanguage());
  document.documentElement.lang = language.get();
  return language.get();
}

/** Store a language and update the page. */
export function storeLanguage(next: Language): void {
  try {
    localStorage.setItem(KEY, next);
  } catch {
    // Storage is blocked: the choice lasts until the page is left.
  }
  document.documentElement.lang = next;
  language.set(next);
}

/** Whether the person has chosen a language in this browser. */
export function hasChosenLanguage(): boolean {
  try {
    return localStorage.getItem(KEY) !== null;
  } catch {
    return true;
  }
}

/** The current language, for what is written outside of a component. */
export function currentLanguage(): Language {
  return language.get();
}

/** Follow the current language. */
export function useLanguage(): Language {
  return useStore(language);
}

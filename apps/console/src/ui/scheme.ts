import { createStore, useStore } from './store.ts';

/** Light, dark, or as the system has it. */
export type Scheme = 'light' | 'dark' | 'auto';

/** The storage key of the choice; the sign-in page and the static pages read it too. Plain text, not JSON. */
const KEY = 'highline.scheme';
const system = globalThis.matchMedia?.('(prefers-color-scheme: dark)');

const parseScheme = (stored: string | null): Scheme => (stored === 'light' || stored === 'dark' ? stored : 'auto');

const chosen = createStore<Scheme>('auto');
const shown = createStore<'light' | 'dark'>('light');

function show(): void {
  const scheme = chosen.get();
  const isDark = scheme === 'dark' || (scheme === 'auto' && (system?.matches ?? false));
  shown.set(isDark ? 'dark' : 'light');
  document.documentElement.dataset['scheme'] = shown.get();
}

/** Take up the stored scheme, and follow the system and other pages from then on; once, before the first screen. */
export function loadScheme(): void {
  try {
    chosen.set(parseScheme(localStorage.getItem(KEY)));
  } catch {
    // Storage is blocked: as the system has it.
  }
  show();
  system?.addEventListener('change', show);
  addEventListener('storage', ({ key, newValue }) => {
    if (key !== KEY) return;
    chosen.set(parseScheme(newValue));
    show();
  });
}

/** Store a scheme and update the page. */
export function storeScheme(next: Scheme): void {
  try {
    localStorage.setItem(KEY, next);
  } catch {
    // Storage is blocked: the choice lasts until the page is left.
  }
  chosen.set(next);
  show();
}

/** Follow the choice. */
export function useScheme(): Scheme {
  return useStore(chosen);
}

/** Follow what is shown. */
export function useShownScheme(): 'light' | 'dark' {
  return useStore(shown);
}

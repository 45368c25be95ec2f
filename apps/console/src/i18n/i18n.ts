import type { Messages } from './messages.ts';
import { messages, switchLanguage } from './use-translation.ts';
import { type LazyNamespace, lazyCatalogues } from './lazy-catalogues.ts';
import { LoadingFault } from '../ui/loading-fault.ts';
import { storeLanguage, type Language, loadLanguage } from '../ui/language.ts';

// One file per language, fetched only when it is chosen.
const catalogues: Record<Language, () => Promise<{ readonly catalogue: Messages }>> = {
  'en-US': () => import('./en-US.ts'),
  'zh-TW': () => import('./zh-TW.ts'),
};

const requested = new Set<LazyNamespace>();
// Languages whose initial catalogue is loaded; a lazy namespace alone does not count.
const whole = new Set<Language>();

async function loadNamespace(language: Language, namespace: LazyNamespace): Promise<void> {
  const loaded: Readonly<Partial<Record<LazyNamespace, Messages>>> = await lazyCatalogues[namespace][language]();
  const found = loaded[namespace];
  if (found !== undefined) messages.add(language, { [namespace]: found });
}

/** A screen that is loaded together with the namespaces it uses (catalogues.test.ts finds missing ones). */
export function withMessages<Module>(namespaces: readonly LazyNamespace[], load: () => Promise<Module>): () => Promise<Module> {
  return async () => {
    for (const namespace of namespaces) requested.add(namespace);
    const language = loadLanguage();
    try {
      const [module] = await Promise.all([load(), ...namespaces.map((namespace) => loadNamespace(language, namespace))]);
      return module;
    } catch (error) {
      throw new LoadingFault(error);
    }
  };
}

async function loadFirst(language: Language): Promise<void> {
  if (whole.has(language)) return;
  const { catalogue } = await catalogues[language]();
  messages.add(language, catalogue);
  whole.add(language);
}

/** Namespaces already used in another language are loaded too. */
async function load(language: Language): Promise<void> {
  await Promise.all([loadFirst(language), ...[...requested].map((namespace) => loadNamespace(language, namespace))]);
}

/** Get the stored language ready, before the first screen (NAV-07). */
export async function startI18n(): Promise<void> {
  const language = loadLanguage();
  await load(language);
  switchLanguage(language);
}

/** Change the language of the page immediately and store it. */
export async function chooseLanguage(language: Language): Promise<void> {
  await load(language);
  switchLanguage(language);
  storeLanguage(language);
}

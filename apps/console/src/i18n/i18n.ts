import i18next, { changeLanguage, type FormatterModule, type PostProcessorModule, use } from 'i18next';
import { initReactI18next } from 'react-i18next';
import { marked, setApart } from './text-edges.ts';
import { type LazyNamespace, lazyCatalogues } from './lazy-catalogues.ts';
import { LoadingFault } from '../ui/loading-fault.ts';
import { storeLanguage, type Language, loadLanguage } from '../ui/language.ts';

// One file per language, fetched only when it is chosen.
const catalogues: Record<Language, () => Promise<{ readonly catalogue: object }>> = {
  'en-US': () => import('./en-US.ts'),
  'zh-TW': () => import('./zh-TW.ts'),
};

const requested = new Set<LazyNamespace>();
// Languages whose initial catalogue is loaded; a lazy namespace alone does not count.
const whole = new Set<Language>();

async function loadNamespace(language: Language, namespace: LazyNamespace): Promise<void> {
  const messages: Readonly<Partial<Record<LazyNamespace, object>>> = await lazyCatalogues[namespace][language]();
  i18next.addResourceBundle(language, 'console', { [namespace]: messages[namespace] });
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
  i18next.addResourceBundle(language, 'console', catalogue);
  whole.add(language);
}

/** Namespaces already used in another language are loaded too. */
async function load(language: Language): Promise<void> {
  await Promise.all([loadFirst(language), ...[...requested].map((namespace) => loadNamespace(language, namespace))]);
}

const ignore = (): void => undefined;

/** Formats nothing: dates and numbers are inserted as text. It marks where a value begins and ends, for `spacing`. */
const textEdges: FormatterModule = {
  type: 'formatter',
  init: ignore,
  add: ignore,
  addCached: ignore,
  format: marked as (value: unknown) => string,
};
const spacing: PostProcessorModule = { type: 'postProcessor', name: 'spacing', process: setApart };

/** Get the stored language ready, before the first screen (NAV-07). */
export async function startI18n(): Promise<void> {
  const language = loadLanguage();
  // A second init would drop the messages that are loaded.
  if (i18next.isInitialized) return;
  await use(initReactI18next)
    .use(textEdges)
    .use(spacing)
    .init({
      lng: language,
      defaultNS: 'console',
      ns: ['console'],
      fallbackLng: false,
      // React escapes rendered text.
      interpolation: { escapeValue: false, alwaysFormat: true },
      postProcess: ['spacing'],
      resources: {},
    });
  await load(language);
}

/** Change the language of the page immediately and remember it. */
export async function chooseLanguage(language: Language): Promise<void> {
  await load(language);
  await changeLanguage(language);
  storeLanguage(language);
}

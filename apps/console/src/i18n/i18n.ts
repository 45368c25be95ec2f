import type { Messages } from './messages.ts';
import { messages, switchLanguage } from './use-translation.ts';
import { LoadingFault } from '../ui/loading-fault.ts';
import { storeLanguage, type Language, loadLanguage } from '../ui/language.ts';

/** By language, a file with the texts of the first screen. */
type FirstTexts = Readonly<Record<Language, () => Promise<{ readonly catalogue: Messages }>>>;

let firstTexts: FirstTexts | undefined;

/** The messages of each namespace that is loaded on demand; app/, which collects the features, declares them. */
export interface LoadedOnDemand {}

export type LazyNamespace = keyof LoadedOnDemand;

/** By namespace and language, a file whose export has the namespace's name. */
export type LazyCatalogues = {
  readonly [Namespace in string]: Readonly<Record<Language, () => Promise<{ readonly [Name in Namespace]?: Messages }>>>;
};

/** All catalogues that can be loaded on demand. */
export const lazyCatalogues: Record<string, LazyCatalogues[string]> = {};

/** Make the catalogues of a feature available to `withMessages`. */
export function addCatalogues(catalogues: LazyCatalogues): void {
  Object.assign(lazyCatalogues, catalogues);
}

const requested = new Set<LazyNamespace>();
// Languages whose initial catalogue is loaded; a lazy namespace alone does not count.
const whole = new Set<Language>();

async function loadNamespace(language: Language, namespace: LazyNamespace): Promise<void> {
  const loaded = await lazyCatalogues[namespace]?.[language]();
  const found = loaded?.[namespace];
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
  const first = await firstTexts?.[language]();
  if (first === undefined) return;
  messages.add(language, first.catalogue);
  whole.add(language);
}

/** Namespaces already used in another language are loaded too. */
async function load(language: Language): Promise<void> {
  await Promise.all([loadFirst(language), ...[...requested].map((namespace) => loadNamespace(language, namespace))]);
}

/** Get the stored language ready, before the first screen (NAV-07). */
export async function startI18n(texts: FirstTexts): Promise<void> {
  firstTexts = texts;
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

import i18next, { changeLanguage, use } from 'i18next';
import { initReactI18next } from 'react-i18next';
import type { LateRoom, LateWords } from './late.ts';
import { keepLanguage, type Language, loadLanguage } from '../../ui/language.ts';

// One file per language, fetched only when it is chosen.
const catalogues: Record<Language, () => Promise<{ readonly catalogue: object }>> = {
  'en-US': () => import('./en-US.ts'),
  'zh-TW': () => import('./zh-TW.ts'),
};

// Rooms whose screens come after the first: their words are fetched with them, and the first screen stays light.
const lateWords: { readonly [Room in LateRoom]: Record<Language, () => Promise<LateWords<Room>>> } = {
  remote: {
    'en-US': () => import('../../domains/remote-access/remote-access.en-US.ts'),
    'zh-TW': () => import('../../domains/remote-access/remote-access.zh-TW.ts'),
  },
  esims: {
    'en-US': () => import('../../domains/esims/esims.en-US.ts'),
    'zh-TW': () => import('../../domains/esims/esims.zh-TW.ts'),
  },
  reports: {
    'en-US': () => import('../../domains/reports/reports.en-US.ts'),
    'zh-TW': () => import('../../domains/reports/reports.zh-TW.ts'),
  },
  analysis: {
    'en-US': () => import('../../domains/analysis/analysis.en-US.ts'),
    'zh-TW': () => import('../../domains/analysis/analysis.zh-TW.ts'),
  },
};
const wanted = new Set<LateRoom>();
// Languages whose first words are here; a room's words alone do not make one.
const whole = new Set<Language>();

async function loadRoom<Room extends LateRoom>(language: Language, room: Room): Promise<void> {
  const words: LateWords<Room> = await lateWords[room][language]();
  i18next.addResourceBundle(language, 'console', { [room]: words[room] });
}

/** A screen that comes with the words of its room. */
export function withWords<Module>(room: LateRoom, load: () => Promise<Module>): () => Promise<Module> {
  return async () => {
    wanted.add(room);
    const [module] = await Promise.all([load(), loadRoom(loadLanguage(), room)]);
    return module;
  };
}

async function loadFirst(language: Language): Promise<void> {
  if (whole.has(language)) return;
  const { catalogue } = await catalogues[language]();
  i18next.addResourceBundle(language, 'console', catalogue);
  whole.add(language);
}

/** Rooms visited in one language only so far come along. */
async function load(language: Language): Promise<void> {
  await Promise.all([loadFirst(language), ...[...wanted].map((room) => loadRoom(language, room))]);
}

/** Get the remembered language ready, before the first screen (NAV-07). */
export async function startI18n(): Promise<void> {
  const language = loadLanguage();
  await use(initReactI18next).init({
    lng: language,
    defaultNS: 'console',
    ns: ['console'],
    fallbackLng: false,
    // React escapes what it draws.
    interpolation: { escapeValue: false },
    resources: {},
  });
  await load(language);
}

/** Change the language of the page at once, and remember it. */
export async function chooseLanguage(language: Language): Promise<void> {
  await load(language);
  await changeLanguage(language);
  keepLanguage(language);
}

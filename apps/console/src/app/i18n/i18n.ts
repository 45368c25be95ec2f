import i18next, { changeLanguage, use } from 'i18next';
import { initReactI18next } from 'react-i18next';
import { keepLanguage, type Language, loadLanguage } from '../../ui/language.ts';

// One file per language, fetched only when it is chosen.
const catalogues: Record<Language, () => Promise<{ readonly catalogue: object }>> = {
  'en-US': () => import('./en-US.ts'),
  'zh-TW': () => import('./zh-TW.ts'),
};

async function load(language: Language): Promise<void> {
  if (i18next.hasResourceBundle(language, 'console')) return;
  const { catalogue } = await catalogues[language]();
  i18next.addResourceBundle(language, 'console', catalogue);
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

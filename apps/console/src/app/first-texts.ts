import { startI18n } from '../i18n/i18n.ts';

/** Get the texts of the first screen ready in the stored language (NAV-07). One file per language, fetched only when it is chosen. */
export const startTexts = (): Promise<void> =>
  startI18n({ 'en-US': () => import('./first-texts.en-US.ts'), 'zh-TW': () => import('./first-texts.zh-TW.ts') });

import { ApiError } from '../api/errors.ts';
import { useLanguage } from '../ui/language.ts';
import { type AccountTexts, accountTexts, chineseFailures } from './texts.ts';

/** The texts of the page in the current language. */
export function useTexts(): AccountTexts {
  return accountTexts[useLanguage()];
}

/** Returns the message of a failure in the current language. */
export function useFailureText(): (error: unknown) => string {
  const language = useLanguage();
  return (error) => {
    if (!(error instanceof ApiError)) return String(error);
    const chinese = error.key === undefined ? undefined : chineseFailures[error.key];
    return language === 'zh-TW' && chinese !== undefined ? chinese : error.message;
  };
}

/** Seconds as `1:05`. */
export function clockText(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

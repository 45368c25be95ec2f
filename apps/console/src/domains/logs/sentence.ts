import { type LogSentence, renderLogSentence } from '@highline/contract/log-texts';
import { type Language, useLanguage } from '../../ui/language.ts';

/** The action of an entry: its stored English text and, unless it is of an earlier version, its key and parameters. */
export interface Said {
  readonly subject: string;
  readonly sentence: LogSentence | null;
}

/** The action in a language; the stored text where there is no other. */
export function actionIn(language: Language, { subject, sentence }: Said): string {
  if (sentence === null || language === 'en-US') return subject;
  return renderLogSentence(language, sentence) || subject;
}

/** The action of entries in the language of the page. */
export function useActionText(): (entry: Said) => string {
  const language = useLanguage();
  return (entry) => actionIn(language, entry);
}

import type { Language } from './conventions.ts';
import { chineseTerms, logSentences } from './log-sentences.ts';

export { chineseTerms, logSentences };
export type { LogSentenceKey } from './log-sentences.ts';

/** A parameter of a sentence: a name or number as it is, terms of ours, or a part that is a sentence itself. */
export type LogSentencePart = string | number | { readonly terms: readonly string[] } | LogSentence;
/** The action of a log entry by its key. Keys that a later version wrote may be unknown. */
export interface LogSentence {
  readonly key: string;
  readonly params: readonly LogSentencePart[];
}

/**
 * The sentence in a language. In English it is the text that the entry stores; a key that is not known, as one of a later version, gives
 * an empty text.
 */
export function renderLogSentence(language: Language, { key, params }: LogSentence): string {
  const sentences: Readonly<Record<string, readonly [english: string, chinese: string]>> = logSentences;
  const [english, chinese] = Object.hasOwn(sentences, key) ? sentences[key]! : ['', ''];
  const text = language === 'zh-TW' ? chinese : english;
  return text.replaceAll(/\{(\d)\}/gu, (_, index: string) => partText(language, params[Number(index)] ?? ''));
}

function partText(language: Language, part: LogSentencePart): string {
  if (typeof part !== 'object') return String(part);
  if ('key' in part) return renderLogSentence(language, part);
  if (language === 'en-US') return part.terms.join(', ');
  return part.terms.map((term) => (Object.hasOwn(chineseTerms, term) ? chineseTerms[term]! : term)).join('、');
}

import {
  renderLogSentence,
  type logSentences,
  type LogSentence,
  type LogSentenceKey,
  type LogSentencePart,
} from '@highline/contract/log-texts';
import { boundedLine } from './bounds.ts';

/** A parameter of a sentence: a name or number as it is, terms of ours, or a part that is a sentence itself. */
export type SentencePart = LogSentencePart;
/** The action of an entry. A plain text has no key, and is shown as it is in every language. */
export type AuditAction = LogSentence | string;

/** The parameters of a text: as many as it has places. */
type PartsOf<Text extends string> = Text extends `${string}{2}${string}`
  ? [SentencePart, SentencePart, SentencePart]
  : Text extends `${string}{1}${string}`
    ? [SentencePart, SentencePart]
    : Text extends `${string}{0}${string}`
      ? [SentencePart]
      : [];

/** A sentence of the log, by its key (docs/domains/logs.md). */
export function sentence<Key extends LogSentenceKey>(key: Key, ...params: PartsOf<(typeof logSentences)[Key]>): LogSentence {
  return { key, params };
}

/** What an entry stores of its action: the English text, and the sentence that it was made from. */
export function storedAction(action: AuditAction): { readonly action: string; readonly sentence?: LogSentence } {
  if (typeof action === 'string') return { action: boundedLine(action, 'action') };
  const bounded = boundedSentence(action);
  return { action: boundedLine(renderLogSentence('en-US', bounded), 'action'), sentence: bounded };
}

/** The same limits as the text has: names in it are input. */
function boundedSentence({ key, params }: LogSentence): LogSentence {
  return { key, params: params.map(boundedPart) };
}

function boundedPart(part: SentencePart): SentencePart {
  if (typeof part === 'string') return boundedLine(part, 'action');
  if (typeof part === 'number') return part;
  return 'key' in part ? boundedSentence(part) : { terms: part.terms.map((term) => boundedLine(term, 'action')) };
}

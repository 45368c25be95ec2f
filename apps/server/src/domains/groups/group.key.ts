import { DEFAULT_GROUP_KEY } from '@highline/contract';

/** A group's key as received: the default group's plus signs may have been read as spaces (DECISIONS, Envelopes). */
export function normalizeGroupKey(text: string): string {
  return text === DEFAULT_GROUP_KEY.replaceAll('+', ' ') ? DEFAULT_GROUP_KEY : text;
}

import { type ChangeEvent, type CompositionEvent, useState } from 'react';

/**
 * Whether a key belongs to the composition of a character (Chinese, Japanese), also the one that ends it: Safari reports that one after the
 * end, with the code 229.
 */
export const composes = ({ isComposing, keyCode }: Pick<KeyboardEvent, 'isComposing' | 'keyCode'>): boolean =>
  isComposing || keyCode === 229;

/** Whether a field got its text while an input method composes a character, so that more keys of it follow. */
export const isComposing = (event: Event): event is InputEvent => event instanceof InputEvent && event.isComposing;

/** Scripts whose characters are composed of several keys. The keyboards of phones compose letters, too, which are complete at once. */
const COMPOSED = /[\p{Script=Bopomofo}\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]/u;

/** Handlers of a search field: its text is shown as it is typed, and searched for once its characters are composed. */
export function handleSearch(show: (text: string) => void, search: (text: string) => void) {
  return {
    onChange: ({ currentTarget: { value }, nativeEvent }: ChangeEvent<HTMLInputElement>) => {
      show(value);
      if (!isComposing(nativeEvent) || !COMPOSED.test(nativeEvent.data ?? value)) search(value);
    },
    onCompositionEnd: ({ currentTarget: { value } }: CompositionEvent<HTMLInputElement>) => search(value),
  };
}

/** The text to search for, and the props of its field. */
export function useSearchInput(onSearch: (text: string) => void = () => undefined) {
  const [text, setText] = useState('');
  const [searched, setSearched] = useState('');
  const search = (next: string) => {
    setSearched(next);
    onSearch(next);
  };
  return { searched, input: { value: text, ...handleSearch(setText, search) } };
}

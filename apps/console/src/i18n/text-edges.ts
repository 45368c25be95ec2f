/** Marks both ends of each inserted value until the sentence is complete. */
const EDGE = '\uE000';

/** A value on its way into a sentence; counts and other figures have their spaces in the catalogue. */
export function marked(value: unknown): unknown {
  return typeof value === 'string' ? `${EDGE}${value}${EDGE}` : value;
}

/**
 * Adds a space between Chinese text and an inserted value that begins or ends with a Latin letter or digit: '請輸入 ICCID', but
 * '請輸入序號'. The value itself does not change.
 */
export function setApart(sentence: string): string {
  return sentence.replaceAll(/(?<=[㐀-鿿])\uE000(?=[A-Za-z0-9])|(?<=[A-Za-z0-9])\uE000(?=[㐀-鿿])/gu, ' ').replaceAll(EDGE, '');
}

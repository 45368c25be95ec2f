/**
 * Whether a key belongs to the composition of a character (Chinese, Japanese), also the one that ends it: Safari reports that one after the
 * end, with the code 229.
 */
export const composes = ({ isComposing, keyCode }: Pick<KeyboardEvent, 'isComposing' | 'keyCode'>): boolean =>
  isComposing || keyCode === 229;

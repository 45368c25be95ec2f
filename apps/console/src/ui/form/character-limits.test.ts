// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import { limitByCharacters } from './character-limits.ts';

it('a field takes as many emoji as characters; other text has the limit as it is', () => {
  limitByCharacters(document);
  const field = document.body.appendChild(document.createElement('input'));
  field.maxLength = 5;
  const type = (data: string) => {
    field.dispatchEvent(new InputEvent('beforeinput', { data, bubbles: true }));
    field.value = (field.value + data).slice(0, field.maxLength);
  };
  type('🚌🚌🚌');
  type('🚌🚌');
  expect(field.value).toBe('🚌🚌🚌🚌🚌');
  type('x');
  expect(field.value).toBe('🚌🚌🚌🚌🚌');
  field.value = '';
  type('123456');
  expect(field.value).toBe('12345');
});

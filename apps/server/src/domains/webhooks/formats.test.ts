import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { bodyOf } from './formats.ts';

const titleIn = (name: string): string => {
  const event = { type: 'alert.fired', happenedAt: new Date(0), data: { summary: name } };
  return JSON.parse(bodyOf('teams', event)).attachments[0].content.body[0].text;
};

test('HKS-01-partial a name of any braces and ampersands is no date function and no character reference in a card', () => {
  expect(titleIn('{{{DATE(2020-01-01T00:00:00Z, SHORT)}}')).toBe('{ { {DATE(2020-01-01T00:00:00Z, SHORT)} }');
  expect(titleIn('A&B &lt; &#123;&#123;DATE(x)')).toBe(String.raw`A&amp;B &amp;lt; &amp;\#123;&amp;\#123;DATE(x)`);
  const parts = fc.array(fc.constantFrom('{', '}', '{{', '&', '#123;', 'DATE(', ' ', '*', '\\'), { maxLength: 12 });
  fc.assert(
    fc.property(parts, (chosen) => {
      const title = titleIn(`x${chosen.join('')}`);
      expect(title).not.toMatch(/\{\{|\}\}|&(?!amp;)/u);
    }),
    { numRuns: 200 },
  );
});

import { describe, expect, it } from 'vitest';
import { describeFailures } from './failures.mjs';

describe('the summary of failed tests', () => {
  it('contains step, title, location and the first fifteen lines, without colours', () => {
    const long = Array.from({ length: 20 }, (_, index) => `\u{1b}[31mline ${index + 1}\u{1b}[39m`).join('\n\n');
    const described = describeFailures('tests in a browser', [
      { title: 'NAV-09 a page', where: 'e2e/a.spec.ts:9', message: long },
    ]).split('\n');
    expect(described.slice(0, 3)).toEqual(['✘ tests in a browser › NAV-09 a page', '  e2e/a.spec.ts:9', '    line 1']);
    expect(described.slice(-2)).toEqual(['    line 15', '    …']);
  });

  it('is empty without failures', () => {
    expect(describeFailures('check', [])).toBe('');
  });
});

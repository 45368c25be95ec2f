import { describe, expect, it } from 'vitest';
import { describeFailures, playwrightFailures, vitestFailures } from './failures.mjs';

const stack = [
  'AssertionError: expected 1 to be 2',
  '    at /house/apps/server/src/a.test.ts:12:22',
  '    at file:///house/node_modules/vitest/run.js:1:35',
  '    at new Promise (<anonymous>)',
].join('\n');

const units = {
  testResults: [
    {
      name: '/house/apps/server/src/a.test.ts',
      status: 'failed',
      message: '',
      assertionResults: [
        { fullName: 'outer holds', status: 'passed', failureMessages: [] },
        { fullName: 'outer counts', status: 'failed', failureMessages: [stack] },
      ],
    },
    { name: '/house/scripts/b.test.ts', status: 'failed', message: "Cannot find module './c.ts'", assertionResults: [] },
    { name: '/house/scripts/d.test.ts', status: 'passed', message: '', assertionResults: [] },
  ],
};

const browser = {
  suites: [
    {
      specs: [{ title: 'fine', file: 'a.spec.ts', line: 3, tests: [{ status: 'expected', results: [{ errors: [] }] }] }],
      suites: [
        {
          specs: [
            {
              title: 'NAV-09 a page',
              file: 'a.spec.ts',
              line: 9,
              tests: [
                {
                  status: 'unexpected',
                  results: [
                    {
                      errors: [
                        { message: '\u{1b}[31mtoo late\u{1b}[39m', location: { file: '/house/e2e/fixtures.ts', line: 64 } },
                      ],
                    },
                  ],
                },
              ],
            },
            { title: 'cut off', file: 'a.spec.ts', line: 20, tests: [{ status: 'unexpected', results: [] }] },
          ],
        },
      ],
    },
  ],
  errors: [{ message: 'The server did not start', location: { file: '/house/e2e/server.setup.ts', line: 40 } }],
};

describe('the failed tests once more', () => {
  it('names the tests of vitest that failed with the line of their file, and files that could not be run', () => {
    expect(vitestFailures(units, '/house')).toEqual([
      {
        title: 'outer counts',
        place: 'apps/server/src/a.test.ts:12',
        message: 'AssertionError: expected 1 to be 2\n    at /house/apps/server/src/a.test.ts:12:22',
      },
      { title: 'the file itself', place: 'scripts/b.test.ts', message: "Cannot find module './c.ts'" },
    ]);
  });

  it('names the browser tests that failed, where they did, also within groups, and faults outside of any', () => {
    expect(playwrightFailures(browser, '/house').map(({ title, place }) => [title, place])).toEqual([
      ['NAV-09 a page', 'e2e/fixtures.ts:64'],
      ['cut off', 'e2e/a.spec.ts:20'],
      ['outside of the tests', 'e2e/server.setup.ts:40'],
    ]);
  });

  it('says step, title, place and the first fifteen lines, without colours', () => {
    const long = Array.from({ length: 20 }, (_, index) => `\u{1b}[31mline ${index + 1}\u{1b}[39m`).join('\n\n');
    const told = describeFailures('tests in a browser', [
      { title: 'NAV-09 a page', place: 'e2e/a.spec.ts:9', message: long },
    ]).split('\n');
    expect(told.slice(0, 3)).toEqual(['✘ tests in a browser › NAV-09 a page', '  e2e/a.spec.ts:9', '    line 1']);
    expect(told.slice(-2)).toEqual(['    line 15', '    …']);
  });

  it('says nothing where nothing failed', () => {
    expect(describeFailures('check', [])).toBe('');
    expect(vitestFailures({}, '/house')).toEqual([]);
    expect(playwrightFailures({}, '/house')).toEqual([]);
  });
});

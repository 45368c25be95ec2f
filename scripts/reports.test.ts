import { describe, expect, it } from 'vitest';
import { playwrightFiles, vitestFiles } from './reports.mjs';

const stack = [
  'AssertionError: expected 1 to be 2',
  '    at /repo/apps/server/src/a.test.ts:12:22',
  '    at file:///repo/node_modules/vitest/run.js:1:35',
  '    at new Promise (<anonymous>)',
].join('\n');

const units = {
  testResults: [
    {
      name: '/repo/apps/server/src/a.test.ts',
      status: 'failed',
      message: '',
      assertionResults: [
        { fullName: 'outer holds', status: 'passed', failureMessages: [] },
        { fullName: 'outer counts', status: 'failed', failureMessages: [stack] },
        { fullName: 'outer waits', status: 'skipped', failureMessages: [] },
      ],
    },
    { name: '/repo/scripts/b.test.ts', status: 'failed', message: "Cannot find module './c.ts'", assertionResults: [] },
    { name: '/repo/scripts/d.test.ts', status: 'passed', message: '', assertionResults: [] },
  ],
};

const browser = {
  suites: [
    {
      file: 'a.spec.ts',
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
                        { message: '\u{1b}[31mtoo late\u{1b}[39m', location: { file: '/repo/e2e/fixtures.ts', line: 64 } },
                      ],
                    },
                  ],
                },
              ],
            },
            { title: 'cut off', file: 'a.spec.ts', line: 20, tests: [{ status: 'unexpected', results: [] }] },
            { title: 'not here', file: 'a.spec.ts', line: 30, tests: [{ status: 'skipped', results: [] }] },
          ],
        },
      ],
    },
  ],
  errors: [{ message: 'The server did not start', location: { file: '/repo/e2e/server.setup.ts', line: 40 } }],
};

describe('the reports of the test runners', () => {
  it('count the tests of each file of vitest, and list failures with the line of their file; a file that could not be run is one', () => {
    expect(vitestFiles(units, '/repo')).toEqual([
      {
        file: 'apps/server/src/a.test.ts',
        passed: 1,
        failed: 1,
        skipped: 1,
        failures: [
          {
            title: 'outer counts',
            where: 'apps/server/src/a.test.ts:12',
            message: 'AssertionError: expected 1 to be 2\n    at /repo/apps/server/src/a.test.ts:12:22',
          },
        ],
      },
      {
        file: 'scripts/b.test.ts',
        passed: 0,
        failed: 1,
        skipped: 0,
        failures: [{ title: 'the file itself', where: 'scripts/b.test.ts', message: "Cannot find module './c.ts'" }],
      },
      { file: 'scripts/d.test.ts', passed: 0, failed: 0, skipped: 0, failures: [] },
    ]);
  });

  it('count those of each browser file, also within groups, with the location of failures; faults outside of any have no file', () => {
    const entries = playwrightFiles(browser, '/repo');
    expect(entries.map(({ file, passed, failed, skipped }) => [file, passed, failed, skipped])).toEqual([
      ['e2e/a.spec.ts', 1, 2, 1],
      [undefined, 0, 1, 0],
    ]);
    expect(entries.flatMap(({ failures }) => failures).map(({ title, where }) => [title, where])).toEqual([
      ['NAV-09 a page', 'e2e/fixtures.ts:64'],
      ['cut off', 'e2e/a.spec.ts:20'],
      ['outside of the tests', 'e2e/server.setup.ts:40'],
    ]);
  });

  it('read an empty report as no file', () => {
    expect(vitestFiles({}, '/repo')).toEqual([]);
    expect(playwrightFiles({}, '/repo')).toEqual([]);
  });
});

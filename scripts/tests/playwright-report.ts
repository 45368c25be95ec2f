import { writeFileSync } from 'node:fs';
import type { FullConfig, Reporter, Suite, TestCase, TestError } from '@playwright/test/reporter';
import { whereIs, type Result } from './result.ts';

const states = { expected: 'passed', unexpected: 'failed', flaky: 'flaky', skipped: 'skipped' } as const;

/** For the summary of `npm test`: each test of a run, as JSON in the file that HIGHLINE_TEST_REPORT names. */
export default class PlaywrightReport implements Reporter {
  #tests: readonly TestCase[] = [];
  readonly #outside: Result[] = [];

  onBegin(_config: FullConfig, suite: Suite): void {
    this.#tests = suite.allTests();
  }

  /** Outside of any test: set-up, or a file that cannot be loaded. */
  onError({ message = '', location }: TestError): void {
    const where = location === undefined ? '' : whereIs(location.file, location.line);
    this.#outside.push({ part: 'browser', state: 'failed', title: 'outside of the tests', where, message });
  }

  onEnd(): void {
    const results = this.#tests.map((test): Result => {
      const errors = test.results.findLast((result) => result.errors.length > 0)?.errors ?? [];
      const { file, line } = errors[0]?.location ?? test.location;
      return {
        part: test.parent.project()!.name,
        state: states[test.outcome()],
        title: test.title,
        where: whereIs(file, line),
        message: errors.map(({ message }) => message).join('\n'),
      };
    });
    writeFileSync(process.env['HIGHLINE_TEST_REPORT']!, JSON.stringify([...results, ...this.#outside]));
  }

  printsToStdio(): boolean {
    return false;
  }
}

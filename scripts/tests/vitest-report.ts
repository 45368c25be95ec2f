import { writeFileSync } from 'node:fs';
import type { Reporter, TestCase, TestModule } from 'vitest/node';
import { whereIs, type Result } from './result.ts';
import { findUncheckedClaims } from './row-claims.ts';

/** For the summary of `npm test`: each test of a run, as JSON in the file that HIGHLINE_TEST_REPORT names. */
export default class VitestReport implements Reporter {
  /** Why a test failed is printed at once: of a run that is stopped, the summary never comes. */
  onTestCaseResult(test: TestCase): void {
    const { state, errors = [] } = test.result();
    if (state !== 'failed') return;
    const reasons = errors.map(({ message, diff, stack }) => diff ?? stack ?? message);
    process.stderr.write(`${test.module.moduleId} › ${test.fullName}\n${[...new Set(reasons)].join('\n')}\n`);
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly { readonly message: string; readonly stack?: string }[]): void {
    const results: Result[] = modules.flatMap(ofModule);
    for (const { message, stack } of errors)
      results.push({ part: 'vitest', state: 'failed', title: 'outside of the tests', where: '', message: stack ?? message });
    if (process.env['HIGHLINE_TEST_WHOLE'] !== undefined)
      for (const where of findUncheckedClaims())
        results.push({
          part: 'vitest',
          state: 'failed',
          title: 'each statement is executed by a test',
          where,
          message: 'No test executed it, so the type of its rows is not checked.',
        });
    writeFileSync(process.env['HIGHLINE_TEST_REPORT']!, JSON.stringify(results));
  }
}

function ofModule(module: TestModule): Result[] {
  const part = module.project.name;
  const tests = [...module.children.allTests()].map((test): Result => {
    const { state, errors = [] } = test.result();
    const isFlaky = test.diagnostic()?.flaky === true;
    const stack = [...new Set(errors.map((error) => `${error.message}\n${error.diff ?? ''}`))].join('\n');
    const line = errors[0]?.stacks?.find(({ file }) => file === module.moduleId)?.line ?? test.location?.line;
    const where = whereIs(module.moduleId, line);
    return {
      part,
      title: test.fullName,
      where,
      message: stack,
      state: isFlaky ? 'flaky' : state === 'pending' ? 'skipped' : state,
    };
  });
  // A file that could not be loaded, or whose hooks of the whole file failed.
  const own = module.errors().map(({ message, stack }): Result => {
    return { part, state: 'failed', title: 'the file itself', where: whereIs(module.moduleId), message: stack ?? message };
  });
  const suites = [...module.children.allSuites()].flatMap((suite) =>
    suite.errors().map(({ message, stack }): Result => {
      return { part, state: 'failed', title: suite.fullName, where: whereIs(module.moduleId), message: stack ?? message };
    }),
  );
  return [...tests, ...own, ...suites];
}

// Reports of our test runners in one format: an entry for each file, { file, passed, failed, skipped, failures: [{ title, place,
// message }] }, with paths relative to the repository's root.

/** Parse a JSON report of Vitest; a file that could not be run is one failure. `folder` is the repository's root. */
export function vitestFiles({ testResults = [] }, folder) {
  return testResults.map(({ name, status, message, assertionResults }) => {
    const file = fromRoot(name, folder);
    const failures = assertionResults
      .filter((test) => test.status === 'failed')
      .map(({ fullName, failureMessages }) => {
        const text = failureMessages.join('\n');
        return { title: fullName, where: `${file}${lineIn(text, name)}`, message: withoutTools(text) };
      });
    if (failures.length === 0 && status === 'failed') failures.push({ title: 'the file itself', where: file, message });
    const passed = assertionResults.filter((test) => test.status === 'passed').length;
    const failed = assertionResults.filter((test) => test.status === 'failed').length;
    return { file, passed, failed: failures.length, skipped: assertionResults.length - passed - failed, failures };
  });
}

/** Parse a report of Playwright like `vitestFiles`; faults outside of any test (set-up, an unreadable file) have no file. */
export function playwrightFiles({ suites = [], errors = [] }, folder) {
  const outside = errors.map(({ location, message }) => ({
    title: 'outside of the tests',
    where: whereOf(location, folder),
    message,
  }));
  return [
    ...suites.map((suite) => ofTests(`e2e/${suite.file}`, testsOf(suite), folder)),
    ...(outside.length === 0 ? [] : [{ passed: 0, failed: outside.length, skipped: 0, failures: outside }]),
  ];
}

function testsOf({ specs = [], suites = [] }) {
  return [...specs.flatMap((spec) => spec.tests.map((test) => ({ ...test, spec }))), ...suites.flatMap(testsOf)];
}

function ofTests(file, tests, folder) {
  const having = (status) => tests.filter((test) => test.status === status);
  const failures = having('unexpected').map(({ spec, results }) => {
    const faults = results.at(-1)?.errors ?? [];
    const where = faults[0]?.location === undefined ? `${file}:${spec.line}` : whereOf(faults[0].location, folder);
    return { title: spec.title, where, message: faults.map(({ message }) => message).join('\n') };
  });
  return { file, passed: having('expected').length, failed: failures.length, skipped: having('skipped').length, failures };
}

const fromRoot = (file, folder) => (file.startsWith(`${folder}/`) ? file.slice(folder.length + 1) : file);
const whereOf = (location, folder) => (location === undefined ? '' : `${fromRoot(location.file, folder)}:${location.line}`);

/** The line of the test's own file in the stack. */
function lineIn(stack, file) {
  const at = stack.indexOf(`${file}:`);
  return at < 0 ? '' : `:${Number.parseInt(stack.slice(at + file.length + 1), 10)}`;
}

const withoutTools = (text) =>
  text
    .split('\n')
    .filter((line) => !/^\s+at .*(?:node_modules|new Promise)/.test(line))
    .join('\n');

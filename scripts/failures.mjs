// The failed tests of a run once more, for the end of the output: a CI that keeps its last lines alone shows which they were.
import { stripVTControlCharacters } from 'node:util';

const MESSAGE_LINES = 15;

/** `folder` is the repository's root; files are told from there. Each failure: { title, place, message }. */
export function vitestFailures({ testResults = [] }, folder) {
  return testResults.flatMap(({ name, status, message, assertionResults }) => {
    const failed = assertionResults.filter((test) => test.status === 'failed');
    const file = fromRoot(name, folder);
    if (failed.length === 0 && status === 'failed') return [{ title: 'the file itself', place: file, message }];
    return failed.map(({ fullName, failureMessages }) => {
      const words = failureMessages.join('\n');
      return { title: fullName, place: `${file}${lineIn(words, name)}`, message: withoutTools(words) };
    });
  });
}

/** As `vitestFailures`, of a report of Playwright; faults outside of any test (the set-up, a file that cannot be read) too. */
export function playwrightFailures({ suites = [], errors = [] }, folder) {
  const outside = errors.map((error) => ({
    title: 'outside of the tests',
    place: placeOf(error.location, folder),
    message: error.message,
  }));
  return [...suites.flatMap((suite) => ofSuite(suite, folder)), ...outside];
}

function ofSuite({ specs = [], suites = [] }, folder) {
  const own = specs.flatMap(({ title, file, line, tests }) =>
    tests
      .filter(({ status }) => status === 'unexpected')
      .map(({ results }) => {
        const faults = results.at(-1)?.errors ?? [];
        const place = faults[0]?.location === undefined ? `e2e/${file}:${line}` : placeOf(faults[0].location, folder);
        return { title, place, message: faults.map(({ message }) => message).join('\n') };
      }),
  );
  return [...own, ...suites.flatMap((suite) => ofSuite(suite, folder))];
}

/** What is printed: step, title, place and the first lines of the message of each. */
export function describeFailures(step, failures) {
  return failures.map(({ title, place, message }) => `✘ ${step} › ${title}\n  ${place}\n${beginningOf(message)}`).join('\n\n');
}

function beginningOf(message = '') {
  const lines = stripVTControlCharacters(message)
    .split('\n')
    .filter((line) => line.trim() !== '');
  const more = lines.length > MESSAGE_LINES ? ['…'] : [];
  return [...lines.slice(0, MESSAGE_LINES), ...more].map((line) => `    ${line}`).join('\n');
}

const fromRoot = (file, folder) => (file.startsWith(`${folder}/`) ? file.slice(folder.length + 1) : file);
const placeOf = (location, folder) => (location === undefined ? '' : `${fromRoot(location.file, folder)}:${location.line}`);

/** The line of the test's own file in the stack. */
function lineIn(stack, file) {
  const at = stack.indexOf(`${file}:`);
  return at < 0 ? '' : `:${Number.parseInt(stack.slice(at + file.length + 1), 10)}`;
}

const withoutTools = (words) =>
  words
    .split('\n')
    .filter((line) => !/^\s+at .*(?:node_modules|new Promise)/.test(line))
    .join('\n');

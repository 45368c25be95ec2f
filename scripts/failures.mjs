// The failed tests of a run once more, for the end of the output: a CI that keeps its last lines alone shows which they were.
import { stripVTControlCharacters } from 'node:util';

const MESSAGE_LINES = 15;

/** What is printed: step, title, place and the first lines of the message of each, behind `sign`. */
export function describeFailures(step, failures, sign = '✘') {
  return failures
    .map(({ title, place, message }) => `${sign} ${step} › ${title}\n  ${place}\n${beginningOf(message)}`)
    .join('\n\n');
}

function beginningOf(message = '') {
  const lines = stripVTControlCharacters(message)
    .split('\n')
    .filter((line) => line.trim() !== '');
  const more = lines.length > MESSAGE_LINES ? ['…'] : [];
  return [...lines.slice(0, MESSAGE_LINES), ...more].map((line) => `    ${line}`).join('\n');
}

// Repeat the failed tests at the end of the output: a CI that keeps only the last lines still shows them.
import { stripVTControlCharacters } from 'node:util';

const MESSAGE_LINES = 15;

/** The lines to print for each failure: step, title, location and the first lines of the message, prefixed by `sign`. */
export function describeFailures(step, failures, sign = '✘') {
  return failures
    .map(({ title, where, message }) => `${sign} ${step} › ${title}\n  ${where}\n${beginningOf(message)}`)
    .join('\n\n');
}

function beginningOf(message = '') {
  const lines = stripVTControlCharacters(message)
    .split('\n')
    .filter((line) => line.trim() !== '');
  const more = lines.length > MESSAGE_LINES ? ['…'] : [];
  return [...lines.slice(0, MESSAGE_LINES), ...more].map((line) => `    ${line}`).join('\n');
}

import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

// Decision 0103: what people type has one length, and names have one order.

const files = globSync(
  ['apps/server/src/{domains,platform/csv}/**/*.ts', 'apps/console/src/**/*.{ts,tsx}', 'packages/contract/src/**/*.ts'],
  {
    cwd: new URL('..', import.meta.url),
    exclude: (name) => /\.test\.tsx?$|\/testing\//u.test(name),
  },
);

/** The lines of these files that match, with their place. */
function linesWith(pattern: RegExp, unless: RegExp): string[] {
  return files.flatMap((file) => {
    const lines = readFileSync(new URL(`../${file}`, import.meta.url), 'utf8').split('\n');
    return lines.flatMap((line, at) => (pattern.test(line) && !unless.test(line) ? [`${file}:${at + 1}: ${line.trim()}`] : []));
  });
}

test('the length of a typed text is counted by lengthOf(), in characters; .length counts an emoji as two', () => {
  const typed =
    /\b(?:\w*(?:[nN]ame|[nN]ote|[pP]hone|[aA]ddress|[dD]escription|[tT]itle|[lL]abel|[vV]ehicle|[vV]ersion))\.length\s*[<>]=?\s*(?:[A-Z_]{3,}|\d{2,})/u;
  expect(linesWith(typed, /lengthOf/u)).toEqual([]);
});

test('SQL orders names by natural(), and not by their bytes', () => {
  const ordered = /order by [^`]*\b[a-z]+\.name\b(?! (?:is|=))|orderBy\('name'\)|\.name collate "C"/u;
  expect(linesWith(ordered, /natural\(/u)).toEqual([]);
});

test('LIV-12 domains ask routers in terms of the port: no command of a data model, no USP command, no USP error', () => {
  const server = /^apps\/server\/src\/domains\//u;
  const usp = /['"`][A-Z][A-Za-z_]*\(\)|\bDevice\.[^'"`\s]*\(\)['"`]|\bUspError\b|\bcode\s*===\s*7_?\d{3}\b|\bSet\(\[7_?\d{3}\b/u;
  expect(linesWith(usp, /^\s*(?:\*|\/\/|\/\*\*)/u).filter((line) => server.test(line))).toEqual([]);
});

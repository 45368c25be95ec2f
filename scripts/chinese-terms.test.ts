import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');

/** Terms that contain what the glossary's column "not" has, and are right. */
const others = ['連接埠', '用戶端', '租用戶', '固定不變', '固定的動作'];

/** What the column "not" has, each with the term instead; one character alone is a part of too many others. */
function termsOf(glossary: string): readonly (readonly [word: string, term: string])[] {
  const table = glossary.split('## Terms in Traditional Chinese')[1]!.split('\n## ')[0]!;
  return [...table.matchAll(/^\|[^|]+\|([^|]+)\|([^|]+)\|$/gmu)].flatMap(([, term = '', not = '']) =>
    not
      .trim()
      .split('、')
      .filter((word) => /^\p{Script=Han}{2,}$/u.test(word))
      .map((word) => [word, term.trim()] as const),
  );
}

test('NAV-07-partial texts in Chinese have the terms of the glossary, and none that it rejects', () => {
  const terms = termsOf(readFileSync(join(root, 'docs', 'glossary.md'), 'utf8'));
  expect(terms).toContainEqual(['密鑰', '金鑰']);
  const files = execFileSync('git', ['ls-files', 'apps', 'packages'], { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter((file) => /\.(?:ts|tsx|html)$/u.test(file) && !file.includes('.test.'));
  const found = files.flatMap((file) => {
    const text = others.reduce((before, other) => before.replaceAll(other, ''), readFileSync(join(root, file), 'utf8'));
    return terms.filter(([word]) => text.includes(word)).map(([word, term]) => `${file}: ${term} instead of ${word}`);
  });
  expect(found).toEqual([]);
});

// `node scripts/words.mjs [--count]`: words that docs/glossary.md refuses, wherever a tracked text file still has them. Part of `npm run check`.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root, say } from './toolchain.mjs';

/** The requirements quote the product, lock files and the calls of the client are generated. */
const LEFT_OUT =
  /^(?:docs\/spec\/|docs\/glossary\.md$|scripts\/words\.|package-lock\.json$|packages\/client\/openapi|packages\/client\/src\/calls\.generated|CHANGELOG\.md$)|\.(?:png|svg|ico|woff2?|bin|gz)$/u;

/** Where a refused word is right: `where` is matched with `<file>: <line>`. One that no line needs any more is a finding itself. */
const EXCEPTIONS = [
  { words: ['memo'], where: /^apps\/console\/.*(?:useMemo|\bmemo\()/u, because: "React's memo and useMemo" },
  { words: ['settled'], where: /allSettled|PromiseSettledResult/u, because: 'Promise.allSettled' },
  { words: ['settled'], where: /not settled/u, because: 'an error text of the database' },
  {
    words: ['nobody'],
    where: /^(?:apps\/server\/src\/platform\/adapters\/postgres\/(?:run-as|embedded\.test)|scripts\/external-postgres)\./u,
    because: 'the Unix user nobody',
  },
  { words: ['house'], where: /ClickHouse/u, because: 'the name of a database' },
  { words: ['heard'], where: /boot_heard_at/u, because: 'a key in stored facts of routers' },
  { words: ['told'], where: /secret_told/u, because: 'an error key of the API' },
  { words: ['steer'], where: /rollouts\.steer'/u, because: 'the id of a call' },
  { words: ['farewell'], where: /^apps\/router\//u, because: 'a key in the stored state of routers' },
  { words: ['words', 'refused'], where: /^scripts\/check\.mjs:/u, because: 'this check' },
  { words: ['wanted'], where: /^packaging\/systemd\/.*WantedBy=/u, because: 'a setting of systemd' },
  { words: ['words'], where: /^AGENTS\.md:/u, because: 'the name of the rule' },
];

/** Bases of words of the table that no ending leads to. */
const IRREGULAR = { told: ['tell'], heard: ['hear'] };

/**
 * Forms of refused words that are plain words: the refused form alone stands in names for something else (`toldProfile`, `wantedVersion`,
 * `withWords`), or the other form means something else (turn on, a home page, besides).
 */
const PLAIN = new Set(
  ['tell tells telling', 'want wants wanting', 'ask asks asking', 'word wording', 'turn turned turning', 'home', 'besides']
    .join(' ')
    .split(' '),
);

/** @returns a word with its other forms: `knock` with `knocks`, `knocked` and `knocking`, `judged` with `judge` and `judging` */
export function formsOf(word) {
  const bases = [word, ...(IRREGULAR[word] ?? [])];
  if (word.endsWith('ed')) bases.push(word.slice(0, -1), word.slice(0, -2));
  if (word.endsWith('s')) bases.push(word.slice(0, -1));
  const forms = bases.flatMap((base) => {
    const stems = base.endsWith('e') ? [base.slice(0, -1)] : [base, base + base.at(-1)];
    const ends = stems.flatMap((stem) => ['ed', 'ing', 'er', 'ers'].map((end) => stem + end));
    return [base, `${base}s`, `${base}es`, ...ends];
  });
  return [...new Set(forms)].filter((form) => form === word || !PLAIN.has(form));
}

const LETTERS = /[A-Za-z]+/gu;
const PART = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+/gu;

/** @returns each word of the last table of the glossary in all its forms, and what to write instead */
function refusedWords() {
  const [, table] = readFileSync(join(root, 'docs', 'glossary.md'), 'utf8').split('## Words we do not use');
  const rows = table.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| instead'));
  return new Map(
    rows.flatMap((row) => {
      const [, words, better] = row.split('|').map((cell) => cell.trim());
      return words.split(', ').flatMap((word) => formsOf(word).map((form) => [form, better]));
    }),
  );
}

/** Every refused word of a line: `toldProfile` and `TOLD_AT` contain `told`; `password` does not contain `words`. */
export function refusedIn(line, refused) {
  const parts = (line.match(LETTERS) ?? []).flatMap((run) => run.match(PART) ?? []);
  return parts.map((part) => part.toLowerCase()).filter((part) => refused.has(part));
}

/** @returns file, line number, word and text of each refused word in the tracked files */
function refusedWordsIn(refused) {
  const files = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' }).split('\0');
  return files
    .filter((file) => file !== '' && !LEFT_OUT.test(file) && existsSync(join(root, file)))
    .flatMap((file) =>
      readFileSync(join(root, file), 'utf8')
        .split('\n')
        .flatMap((text, index) => refusedIn(text, refused).map((word) => ({ file, line: index + 1, word, text }))),
    );
}

/**
 * Look for refused words, and for exceptions that are not needed any more.
 * @returns `findings`, those without an exception, and `messages`: one sentence for each of them and for each unused exception
 */
export function findRefusedWords() {
  const refused = refusedWords();
  const used = new Set();
  const findings = refusedWordsIn(refused).filter(({ file, word, text }) => {
    const exceptions = EXCEPTIONS.filter(({ words, where }) => words.includes(word) && where.test(`${file}: ${text}`));
    for (const one of exceptions) used.add(one);
    return exceptions.length === 0;
  });
  const messages = [
    ...findings.map(
      ({ file, line, word, text }) => `${file}:${line} uses "${word}". Write ${refused.get(word)}: ${text.trim().slice(0, 120)}`,
    ),
    ...EXCEPTIONS.filter((one) => !used.has(one)).map(
      ({ words, because }) =>
        `No line needs the exception for ${words.join(', ')} (${because}). Delete it from scripts/words.mjs.`,
    ),
  ];
  return { findings, messages };
}

function printCounts(findings) {
  const counts = Map.groupBy(findings, ({ word }) => word);
  for (const [word, found] of [...counts].toSorted(([, a], [, b]) => b.length - a.length))
    say(`${String(found.length).padStart(5)}  ${word}`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { findings, messages } = findRefusedWords();
  if (process.argv.includes('--count')) printCounts(findings);
  else for (const message of messages) say(message);
  process.exitCode = messages.length === 0 ? 0 : 1;
}

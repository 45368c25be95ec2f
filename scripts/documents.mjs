// `node scripts/documents.mjs`: what documents name and this repository does not have. Part of `npm run check`.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root, say } from './toolchain.mjs';
import { projects } from './tests/selection.mjs';

/** The change log is about what was, and the requirements quote the product. */
const LEFT_OUT = /^(?:CHANGELOG\.md$|docs\/spec\/(?!README))/u;
/** Decisions also name what was considered and not used. */
const OF_THE_PAST = /^docs\/decisions\//u;
const GUIDE = 'docs/user-guide.md';

/** Names in documents that belong to other programs. */
const NAMES_OF_OTHERS = new Set(['max_standby_streaming_delay']);

/** Variables that our programs read and that no document names, each with the reason. */
const WITHOUT_DOCUMENT = new Map([
  ['CI', 'set by every CI'],
  ['FAULT', 'passed on by a test to the process that it starts'],
  ['HIGHLINE_DEV_SERVER', 'passed on by scripts/dev.mjs to Vite'],
  [
    'HIGHLINE_TEST_CLAIMS',
    'passed on by the plugin row-claims to the tests, which note in this file the statements that they executed',
  ],
  ['HIGHLINE_TEST_MOVED_MS', 'passed on by npm test -- --now to the browser tests'],
  ['HIGHLINE_TEST_REPORT', 'passed on by npm test to the reporters of its runners'],
  ['HIGHLINE_TEST_WHOLE', 'passed on by npm test to the reporter of Vitest: nothing is left out'],
  ['MUTANT', 'passed on by scripts/mutants to the tests that it starts'],
  ['MUTANT_HITS', 'passed on by scripts/mutants to the tests that it starts'],
  ['MUTANT_TEST', 'passed on by scripts/mutants to the tests that it starts'],
  ['NODE_COMPILE_CACHE', 'a variable of Node'],
  ['PATH', 'a variable of the system'],
  ['PLAYWRIGHT_TRANSFORM_CACHE_DIR', 'a variable of Playwright'],
  ['RUNTIME_DIRECTORY', 'set by systemd for a unit with RuntimeDirectory'],
  ['TMPDIR', 'a variable of the system'],
]);

const PATH = /`((?:apps|bench|packages|scripts|e2e|docs|bin|packaging|\.github|\.ci)\/[\w./-]*)`/gu;
const FILE = /`(\w[\w./-]*\.(?:ts|tsx|mjs|sql|json|yml|html|css|md))`/gu;
const LINK = /\]\((?![a-z]+:)([^)\s#]*)(?:#([^)\s]+))?\)/gu;
const SCRIPT = /\bnpm run (?:-s )?([a-z][\w:-]*)/gu;
const GROUP = /--only (\w+)/gu;
const BENCH = /npm run bench -- ((?:[a-z-]+\|)*[a-z][a-z-]*)/gu;
const VARIABLE = /(?<![\w-])([A-Z][A-Z\d]*(?:_[A-Z\d]+)+)(?![\w-])/gu;
const METRIC = /`(highline_[a-z_]+)/gu;
const NAME = /`([A-Za-z]+(?:[A-Z_][A-Za-z_]*)+)(?:\([^`]*\))?`/gu;
const LABEL = /(?<!\*)\*([^*\s][^*]*)\*(?!\*)/gu;

const all = (text, pattern) => [...new Set([...text.matchAll(pattern)].map(([, found]) => found))];

/** The anchor of a heading, as GitHub makes it. */
const anchorOf = (heading) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .trim()
    .replaceAll(' ', '-');

/** A text without what differs from case to case: numbers, values that are filled in, and the points of omission at its ends. */
const pattern = (text) =>
  text
    .replace(/\{\{[^}]*\}\}|\d[\d,]*/gu, '#')
    .replace(/^…\s*|\s*…$/gu, '')
    .replace(/[.:,]$/u, '')
    .toLowerCase();

/** Everything that the checks compare with, read once. */
function readFacts() {
  const files = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' }).split('\0').filter(isPresent);
  const read = (file) => readFileSync(join(root, file), 'utf8');
  const textOf = (kind) =>
    files
      .filter((file) => kind.test(file))
      .map(read)
      .join('\n');
  const code = textOf(
    /(?:\.(?:[cm]?tsx?|[cm]js|sql|ya?ml|tpl|service|conf|cfg)|^bin\/highline|Dockerfile|Caddyfile|package\.json|knip\.json)$/u,
  );
  return {
    files,
    read,
    documents: files.filter((file) => file.endsWith('.md') && !LEFT_OUT.test(file)),
    exists: (path) => existsSync(join(root, path)),
    scripts: new Set(Object.keys(JSON.parse(read('package.json')).scripts)),
    groups: new Set(['check', ...Object.values(projects()).flat()]),
    sections: sectionsOf(read('bench/main.ts')),
    names: new Set(code.match(/\w+/gu)),
    metrics: new Set(
      all(textOf(/^apps\/server\/src\/.*metrics|(figures(-of-[a-z]+)?|module)\.ts$/u), /'([a-z]+(?:_[a-z\d]+)*)'/gu),
    ),
    labels: pattern(textOf(/\.en-US\.ts$|\/(?:feature|palette)\.ts$|^packages\/contract\/src\/.+\.ts$/u).replaceAll("\\'", "'")),
  };
}

const isPresent = (file) => file !== '' && existsSync(join(root, file));

/** Names of the sections of `npm run bench`. */
function sectionsOf(source) {
  const [, table = ''] = /const sections\b[^{]*\{\n([\s\S]+?)\n\};/u.exec(source) ?? [];
  return new Set(all(table, /^ {2}'?([a-z-]+)'?:/gmu));
}

/** @returns one sentence for each thing that this text names and that does not exist */
export function falseClaimsIn(file, text, facts) {
  const found = [];
  const check = (names, isTrue, what) => {
    for (const name of names) if (!isTrue(name)) found.push(`${file} names ${what(name)}, which does not exist.`);
  };
  check(all(text, PATH), facts.exists, (name) => name);
  check(
    all(text, FILE),
    (name) => facts.exists(name) || facts.files.some((each) => each.endsWith(`/${name}`)),
    (name) => `the file ${name}`,
  );
  check(
    all(text, SCRIPT),
    (name) => facts.scripts.has(name),
    (name) => `npm run ${name}`,
  );
  check(
    all(text, GROUP),
    (name) => facts.groups.has(name),
    (name) => `the part of the tests ${name}`,
  );
  check(
    all(text, BENCH).flatMap((names) => names.split('|')),
    (name) => facts.sections.has(name),
    (name) => `the section ${name} of npm run bench`,
  );
  check(
    all(text, VARIABLE),
    (name) => facts.names.has(name),
    (name) => `the variable ${name}`,
  );
  if (!OF_THE_PAST.test(file))
    check(
      all(text.replace(/```[\s\S]*?```/gu, ''), NAME).filter((name) => !name.startsWith('highline_')),
      (name) => facts.names.has(name) || NAMES_OF_OTHERS.has(name),
      (name) => `${name} in code`,
    );
  check(
    all(text, METRIC),
    (name) => facts.metrics.has(name.slice('highline_'.length)) || facts.names.has(name),
    (name) => `the metric ${name}`,
  );
  if (file === GUIDE)
    check(
      all(text.replace(/```[\s\S]*?```|`[^`\n]*`|\*\*[^*]+\*\*/gu, ''), LABEL),
      (label) => label.split(' → ').every((part) => facts.labels.includes(pattern(part))),
      (label) => `*${label}* in the console`,
    );
  return [...found, ...deadLinksIn(file, text, facts)];
}

/** Links to files, and to headings of documents. */
function deadLinksIn(file, text, { exists, read }) {
  return [...text.matchAll(LINK)].flatMap(([, target, anchor]) => {
    const path = target === '' ? file : normalize(join(dirname(file), target));
    if (!exists(path)) return [`${file} links to ${target}, which does not exist.`];
    if (anchor === undefined || !path.endsWith('.md')) return [];
    const headings = all(path === file ? text : read(path), /^#+ (.+)$/gmu).map(anchorOf);
    return headings.includes(anchor) ? [] : [`${file} links to ${target}#${anchor}, and there is no such heading.`];
  });
}

/** @returns one sentence for each variable that a program reads and no document names */
export function unnamedVariables(code, documents, without = WITHOUT_DOCUMENT) {
  const used = new Set(all(code, /process\.env(?:\.|\[')([A-Z][A-Z\d_]*)/gu));
  return [
    ...[...used]
      .filter((name) => !without.has(name) && !documents.includes(name))
      .map(
        (name) =>
          `No document names the variable ${name}. Say what it does, or list it in scripts/documents.mjs with the reason.`,
      ),
    ...[...without.keys()]
      .filter((name) => !used.has(name))
      .map((name) => `No program reads the variable ${name} any more. Delete it from scripts/documents.mjs.`),
  ];
}

/** @returns one sentence for each section that the list in docs/benchmarks.md lacks */
function unnamedSections({ sections, read }) {
  const named = new Set(all(read('docs/benchmarks.md'), BENCH).flatMap((names) => names.split('|')));
  return [...sections]
    .filter((name) => !named.has(name))
    .map((name) => `docs/benchmarks.md does not name the section ${name} of npm run bench.`);
}

/** What documents say and the repository does not, and the other way round: one sentence each. */
export function findFalseClaims() {
  const facts = readFacts();
  const texts = new Map(facts.documents.map((file) => [file, facts.read(file)]));
  const programs = facts.files.filter((file) => /\.(?:ts|tsx|mjs)$/u.test(file) && !/\.test\.tsx?$/u.test(file));
  return [
    ...[...texts].flatMap(([file, text]) => falseClaimsIn(file, text, facts)),
    ...unnamedVariables(programs.map(facts.read).join('\n'), [...texts.values()].join('\n')),
    ...unnamedSections(facts),
  ];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const messages = findFalseClaims();
  for (const message of messages) say(message);
  process.exitCode = messages.length === 0 ? 0 : 1;
}

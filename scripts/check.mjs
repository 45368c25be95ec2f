// `npm run check`: format, lint, types, import rules, dead code, calls, words, documents. Runs all of them at once; exit code 1 when one failed.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { findFalseClaims } from './documents.mjs';
import { rowsWithoutTest } from './rows.mjs';
import { node24, root, say } from './toolchain.mjs';
import { findRefusedWords } from './words.mjs';

const bin = (name) => join(root, 'node_modules', '.bin', name);
const steps = [
  ['format', bin('oxfmt'), ['--check']],
  // One pass: each file in the project of its folder, once. `tsc -p` checks a file again in every project that imports it.
  ['lint and types', bin('oxlint'), ['--type-aware', '--type-check', '--deny-warnings']],
  [
    'import arrows',
    bin('depcruise'),
    ['--config', '.dependency-cruiser.mjs', '--output-type', 'err-long', 'apps', 'bench', 'packages', 'e2e', 'scripts'],
  ],
  ['dead code', bin('knip'), ['--no-progress']],
  ['calls as described', node24(), [join(root, 'scripts', 'openapi', 'main.ts'), '--check']],
];

// Our own Node first on the path, so that each tool runs on 24 regardless of the machine.
const path = `${join(node24(), '..')}:${process.env.PATH}`;
// The types are checked by a program in Go, which spends a fifth of its time on collecting garbage unless it may use some memory.
const env = { GOGC: '400', GOMEMLIMIT: '3500MiB', ...process.env, PATH: path };

function runStep([name, command, args]) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    child.stdout.on('data', (chunk) => (output += chunk));
    child.stderr.on('data', (chunk) => (output += chunk));
    child.on('error', (error) => resolve({ name, ok: false, output: error.message }));
    child.on('exit', (code) => resolve({ name, ok: code === 0 && sawFiles(name, output), output }));
  });
}

/** Without a TypeScript parser, the import rules pass because no file is read; do not accept that. */
function sawFiles(name, output) {
  return name !== 'import arrows' || Number(/\((\d+) modules/.exec(output)?.[1] ?? 0) > 100;
}

/** The words of docs/glossary.md: one sentence for each that this project does not use. */
function checkWords() {
  const { messages } = findRefusedWords();
  return { name: 'words', ok: messages.length === 0, output: messages.join('\n') };
}

/** One sentence for each thing that a document names and that does not exist. */
function checkDocuments() {
  const messages = findFalseClaims();
  return { name: 'documents', ok: messages.length === 0, output: messages.join('\n') };
}

let failed = 0;
// All at once: most of them use one core.
for (const outcome of [...steps.map(runStep), checkWords(), checkDocuments()]) {
  const { name, ok, output } = await outcome;
  say(`${ok ? 'ok  ' : 'FAIL'} ${name}`);
  if (!ok) {
    failed += 1;
    say(output);
  }
}
const { defined, missing } = rowsWithoutTest();
say(
  `info ${defined - missing.length} of ${defined} rows of docs/spec are named by a test${missing.length === 0 ? '' : '; not yet:'}`,
);
if (missing.length > 0) say(`     ${missing.map(({ row, partial }) => (partial ? `${row} (in part)` : row)).join(' ')}`);
process.exit(failed === 0 ? 0 : 1);

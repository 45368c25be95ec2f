import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './toolchain.mjs';

/** A limit of a test, of a hook or of a poll, in ms: as the last argument, or as an option of the poll. */
const LIMIT = /^\s*\}, ([\d_]{4,})\);$|\bpoll\([^;]*?\{\s*timeout: ([\d_]+)/gmu;
/** That of the runner for a poll. A shorter limit fails on a machine that is slower than the one on which it was chosen. */
const LEAST_MS = 120_000;

test('no test has a limit of its own that a slow machine exceeds', () => {
  const files = execFileSync('git', ['ls-files', '*.test.ts', '*.test.tsx', '*.spec.ts'], { cwd: root, encoding: 'utf8' });
  const short = files
    .trim()
    .split('\n')
    .flatMap((file) =>
      Array.from(readFileSync(join(root, file), 'utf8').matchAll(LIMIT), ([, ...found]) =>
        found.find((each) => each !== undefined)!,
      )
        .filter((limit) => Number(limit.replaceAll('_', '')) < LEAST_MS)
        .map((limit) => `${file} has a limit of ${limit} ms: leave it to the runner, which names what was awaited.`),
    );
  expect(short).toEqual([]);
});

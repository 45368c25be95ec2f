import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { root } from '../toolchain.mjs';

const execute = promisify(execFile);
const doc = (name: string) => readFileSync(join(root, 'docs', name), 'utf8');

/** What `npm run bench` prints, line by line; few calls of each kind, whose times say nothing. */
async function bench(...sections: readonly string[]): Promise<string> {
  const args = ['--disable-warning=ExperimentalWarning', join(root, 'scripts/bench/main.ts'), ...sections, '--short'];
  return (await execute(process.execPath, args, { cwd: root, maxBuffer: 2 ** 24 })).stdout;
}

test('NOD-05-partial the bench asks every list, search, count, overview and export of many devices beside SQL, and prints what a router, a heartbeat and a value cost', async () => {
  const printed = await bench('devices', 'routers', 'telemetry', 'backup', '--devices', '1000');
  for (const figure of [
    /^first page of 50, by serial .*×/mu,
    /^search by serial, 1 digits: page and total .*×/mu,
    /^search by serial, 5 digits: page and total .*×/mu,
    /^filter \+ sort \+ search \+ page of 50 \+ total .*×/mu,
    /^adjacent page by cursor, by model .*×/mu,
    /^jump to any page by offset, by uptime .*×/mu,
    /^first page with its total, not cached: online .*×/mu,
    /^start, 1,000 routers were online: listens; all right +\S+ s; \S+ s/mu,
    /^overview, not cached .*×/mu,
    /^groups, first page of 10 .*×/mu,
    /^CSV of 1,000 devices .*×/mu,
    /^move of \d+ devices to a group .*×/mu,
    /^memory per router .*KB .*×/mu,
    /^CPU of the server, heartbeat and report each 60 s .*%.*×/mu,
    /^values durable per second, 1 report each +[\d,]+\/s .*×/mu,
    /8 values: [\d,]+ values, \d+\.\d bytes each with their indexes, every acknowledged value is stored/u,
    /^backup, \d+ MB .*×/mu,
    /^verify --restore +\S+ s/mu,
  ])
    expect(printed).toMatch(figure);
  expect(printed).not.toMatch(/NaN|Infinity|ACKNOWLEDGED BUT MISSING/u);
});

test('NOD-05-partial each figure of the sizing page for 1,000 to 1,000,000 routers is measured, with its command, or marked as computed', () => {
  const rows = doc('sizing.md')
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) =>
      line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim()),
    );
  const [titles, ...figures] = rows as [string[], ...string[][]];
  expect(titles).toEqual(['', '1,000', '10,000', '100,000', '1,000,000', 'from']);
  expect(figures.length).toBeGreaterThan(8);
  for (const figure of figures) {
    expect(figure).toHaveLength(titles.length);
    expect(figure).not.toContain('?');
    expect(figure.at(-1)).toMatch(/\b[mc]: /u);
  }
});

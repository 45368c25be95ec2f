import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';

// The benchmarks at the size that NOD-05 names. What they find is compared, what they measure only has to be printed.

const root = join(import.meta.dirname, '..', '..');
/** A bound for what hangs: a million devices take minutes to write and to count. */
const TIMEOUT_MS = 3_000_000;
const DEVICES = 1_000_000;
const ROUTERS = 20_000;
/** File descriptors that the benchmark leaves to everything but its routers. */
const OTHER_FILES = 200;

/** What a run of the benchmarks prints; rejects with it when the exit code is not 0. */
function bench(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(root, 'scripts', 'bench', 'main.ts'), ...args], {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (output += text));
    child.on('error', reject);
    child.on('close', (code) => (code === 0 ? resolve(output) : reject(new Error(`Exit code ${code}\n${output}`))));
  });
}

/** Sockets that one process may open here. */
async function openFiles(): Promise<number> {
  const limits = await readFile('/proc/self/limits', 'utf8');
  return Number(/^Max open files\s+\d+\s+(\d+)/mu.exec(limits)?.[1] ?? Number.POSITIVE_INFINITY);
}

/** The rows of a table in Markdown, as cells. */
const tableRows = (text: string) =>
  text
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );

test(
  'NOD-05 a million devices answer as SQL does, one process holds 20,000 routers, costs are printed, and the sizing page says where each figure is from',
  { timeout: TIMEOUT_MS },
  async () => {
    const answers = await bench(['devices', '--devices', String(DEVICES), '--part', 'answers']);
    const [, equal, all] = /(\d+) of (\d+) answers equal SQL/u.exec(answers) ?? [];
    expect(answers).toContain('1,000,000 devices in one organization');
    expect(equal).toBe(all);
    for (const [kind, fewest] of [
      ['list sorted by', 15],
      ['list of the organization', 20],
      ['list of the main account', 20],
      ['search of everything', 5],
      ['overview', 1],
      ['what needs attention', 1],
      ['groups with the number', 1],
      ['inventory', 5],
      ['figures of all organizations', 1],
      ['list of organizations', 1],
      ['file of', 3],
    ] as const)
      expect(answers.match(new RegExp(`equal +${kind}`, 'gu'))?.length ?? 0, kind).toBeGreaterThanOrEqual(fewest);

    const routers = await bench(['routers', '--short'], { BENCH_ROUTERS: String(ROUTERS) });
    const count = Math.min(ROUTERS, (await openFiles()) - OTHER_FILES);
    expect(routers).toContain(`${count} of ${count} connected at the end`);
    expect(routers).toMatch(/a router costs [\d.]+ KB of memory and, with a heartbeat and a report each 60 s, \d+ µs of a core/u);

    const telemetry = await bench(['telemetry', '--short']);
    expect(telemetry).toMatch(/a heartbeat costs [\d.]+ µs of a core of the server and [\d.]+ µs of PostgreSQL/u);
    expect(telemetry).toMatch(/a value costs [\d.]+ µs of a core of the server, [\d.]+ µs of PostgreSQL and [\d.]+ bytes/u);
    expect(telemetry).toMatch(/a stored day of a router, [\d,]+ values: \d+ KB/u);
    expect(telemetry).not.toContain('MISSING');

    const [header, , ...sizes] = tableRows(await readFile(join(root, 'docs', 'sizing.md'), 'utf8'));
    expect(header!.slice(1, 5)).toEqual(['1,000', '10,000', '100,000', '1,000,000']);
    expect(sizes.length).toBeGreaterThan(5);
    for (const cells of sizes) expect(cells.at(-1), cells[0]).toMatch(/^[mc]: /u);
  },
);

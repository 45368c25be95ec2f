import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findChromium } from '../machine.mjs';
import { node } from './checkout.ts';

export interface TestRun {
  /** Of each test file. */
  readonly files: ReadonlyMap<string, { readonly ms: number; readonly failed: string | undefined }>;
  /** The first failure, or why the run itself ended. */
  readonly failure: string | undefined;
}

interface Options {
  readonly copy: string;
  readonly env: Readonly<Record<string, string>>;
  /** After this the run counts as failed: something waits forever. */
  readonly limitMs: number;
  readonly stopsAtFirst: boolean;
}

/** Run test files of one kind: of Vitest, or of Playwright. */
export async function runTests(files: readonly string[], options: Options): Promise<TestRun> {
  const folder = mkdtempSync(join(tmpdir(), 'mutants-'));
  const report = join(folder, 'report.json');
  const isBrowser = files[0]!.startsWith('e2e/');
  try {
    const args = isBrowser ? playwright(files, folder, options) : vitest(files, report, options);
    const ended = await run(args, report, options);
    if (ended === 'late') return { files: new Map(), failure: `not done after ${Math.round(options.limitMs / 1000)} s` };
    if (!existsSync(report)) return { files: new Map(), failure: `no report: ${ended.output}` };
    const content: unknown = JSON.parse(readFileSync(report, 'utf8'));
    const found = isBrowser ? ofPlaywright(content as PlaywrightReport) : ofVitest(content as VitestReport, options.copy);
    const failed = [...found].find(([, { failed: title }]) => title !== undefined);
    const ofRun = ended.code === 0 ? undefined : 'the run itself';
    return { files: found, failure: failed === undefined ? ofRun : `${failed[0]}: ${failed[1].failed}` };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function vitest(files: readonly string[], report: string, { stopsAtFirst }: Options): string[] {
  const limits = ['--testTimeout=90000', '--hookTimeout=90000', '--expect.poll.timeout=45000', '--bail=1'];
  const program = 'node_modules/vitest/vitest.mjs';
  return [program, 'run', '--reporter=json', `--outputFile=${report}`, ...(stopsAtFirst ? limits : []), ...files];
}

function playwright(files: readonly string[], folder: string, { stopsAtFirst }: Options): string[] {
  const program = 'node_modules/@playwright/test/cli.js';
  // Playwright reads the names as expressions.
  const names = files.map((file) => `${file.replaceAll('.', '\\.')}$`);
  const first = stopsAtFirst ? ['-x', '--timeout=90000'] : [];
  return [program, 'test', '--reporter=json', `--output=${join(folder, 'output')}`, ...first, ...names];
}

function run(
  args: readonly string[],
  report: string,
  { copy, env, limitMs }: Options,
): Promise<'late' | { code: number | null; output: string }> {
  const child = spawn(node(copy), args, {
    cwd: copy,
    env: {
      ...process.env,
      CHROMIUM_PATH: findChromium() ?? '',
      PLAYWRIGHT_JSON_OUTPUT_NAME: report,
      NODE_OPTIONS: `--import=${join(import.meta.dirname, 'preload.mjs')}`,
      ...env,
    },
    // A group of its own, so that servers and browsers end with it.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text: Buffer) => (output = `${output}${text.toString()}`.slice(-1000)));
  return new Promise((resolve) => {
    const end = () => {
      try {
        process.kill(-child.pid!, 'SIGKILL');
      } catch {
        // It has ended.
      }
    };
    const timer = setTimeout(() => {
      resolve('late');
      end();
    }, limitMs);
    child.on('exit', (code) => {
      clearTimeout(timer);
      end();
      resolve({ code, output });
    });
  });
}

interface VitestReport {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly startTime: number;
    readonly endTime: number;
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
}

function ofVitest({ testResults }: VitestReport, copy: string): TestRun['files'] {
  return new Map(
    testResults.map(({ name, status, startTime, endTime, assertionResults }) => {
      const failed = assertionResults.find((test) => test.status === 'failed')?.fullName;
      const ofFile = status === 'failed' ? 'the file itself' : undefined;
      return [name.slice(copy.length + 1), { ms: endTime - startTime, failed: failed ?? ofFile }];
    }),
  );
}

interface Suite {
  readonly file: string;
  readonly suites?: readonly Suite[];
  readonly specs: readonly {
    readonly title: string;
    readonly tests: readonly { readonly status: string; readonly results: readonly { readonly duration: number }[] }[];
  }[];
}

interface PlaywrightReport {
  readonly suites: readonly Suite[];
}

function ofPlaywright({ suites }: PlaywrightReport): TestRun['files'] {
  const specsOf = (suite: Suite): readonly Suite['specs'][number][] => [
    ...suite.specs,
    ...(suite.suites ?? []).flatMap((inner) => specsOf(inner)),
  ];
  return new Map(
    suites.map((suite) => {
      const specs = specsOf(suite);
      const failed = specs.find(({ tests }) => tests.some(({ status }) => status === 'unexpected'))?.title;
      const results = specs.flatMap(({ tests }) => tests.flatMap(({ results: some }) => some));
      return [`e2e/${suite.file}`, { ms: results.reduce((sum, { duration }) => sum + duration, 0), failed }];
    }),
  );
}

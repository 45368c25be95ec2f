import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

// What NOD-05 asks of a size: the sections of the benchmarks that compare answers with SQL and print what a router costs, run as they
// are, and their output checked. `npm run bench -- scale` does it at the size of the row, a test compares the answers at a smaller one.

const program = join(import.meta.dirname, 'main.ts');
/** File descriptors that the benchmark leaves to everything but its routers. */
const OTHER_FILES = 200;

/** Kinds of responses that are compared with SQL, and of how many each at least. */
const COMPARED = [
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
] as const;

/** What a run of the benchmarks prints; rejects with it when the exit code is not 0. */
function runSection(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program, ...args], {
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

type Print = (output: string) => void;

/** Whether a sentence holds; those that do not are collected. */
function collectFaults() {
  const faults: string[] = [];
  return { faults, expectThat: (holds: boolean, sentence: string) => void (holds || faults.push(sentence)) };
}

/** What lists, files and figures of a fleet of `devices` answer otherwise than SQL, or do not answer, as sentences. */
export async function findAnswerFaults(devices: number, print: Print = () => undefined): Promise<readonly string[]> {
  const { faults, expectThat } = collectFaults();
  const responses = await runSection(['devices', '--devices', String(devices), '--part', 'answers']);
  print(responses);
  const [, equal, all] = /(\d+) of (\d+) answers equal SQL/u.exec(responses) ?? [];
  expectThat(
    responses.includes(`${devices.toLocaleString('en')} devices in one organization`),
    'The size of the fleet was not printed.',
  );
  expectThat(equal !== undefined && equal === all, `${equal ?? 'None'} of ${all ?? 'the'} answers equal SQL.`);
  for (const [kind, least] of COMPARED) {
    const count = responses.match(new RegExp(`equal +${kind}`, 'gu'))?.length ?? 0;
    expectThat(count >= least, `Only ${count} answers of the kind "${kind}" were compared, not ${least}.`);
  }
  return faults;
}

/** What the sections of routers and readings did not do of what NOD-05 asks, as sentences; empty when all holds. */
async function findCostFaults(routers: number, print: Print): Promise<readonly string[]> {
  const { faults, expectThat } = collectFaults();
  const fleet = await runSection(['routers', '--short'], { BENCH_ROUTERS: String(routers) });
  print(fleet);
  const count = Math.min(routers, (await openFiles()) - OTHER_FILES);
  expectThat(fleet.includes(`${count} of ${count} connected at the end`), `Not all ${count} routers were connected at the end.`);
  expectThat(
    /a router costs [\d.]+ KB of memory and, with a heartbeat and a report each 60 s, \d+ µs of a core/u.test(fleet),
    'The cost of a router was not printed.',
  );

  const telemetry = await runSection(['telemetry', '--short']);
  print(telemetry);
  for (const [cost, pattern] of [
    ['a heartbeat', /a heartbeat costs [\d.]+ µs of a core of the server and [\d.]+ µs of PostgreSQL/u],
    ['a value', /a value costs [\d.]+ µs of a core of the server, [\d.]+ µs of PostgreSQL and [\d.]+ bytes/u],
    ['a stored day', /a stored day of a router, [\d,]+ values: \d+ KB/u],
  ] as const)
    expectThat(pattern.test(telemetry), `The cost of ${cost} was not printed.`);
  expectThat(!telemetry.includes('MISSING'), 'Acknowledged values are missing.');
  return faults;
}

/** `npm run bench -- scale`: NOD-05 at its own size, in programs with clusters of their own. Takes 11 to 15 minutes; run it before a release. */
export async function benchScale(): Promise<void> {
  const print = (output: string) => console.log(output);
  const faults = [...(await findAnswerFaults(1_000_000, print)), ...(await findCostFaults(20_000, print))];
  for (const fault of faults) console.log(`FAILED  ${fault}`);
  console.log(`NOD-05 at 1,000,000 devices and 20,000 routers: ${faults.length === 0 ? 'holds' : 'does not hold'}`);
  if (faults.length > 0) process.exitCode = 1;
}

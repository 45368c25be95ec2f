import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { remoteAccess } from '@highline/contract';
import { until } from '@highline/testkit/calls';
import { startAgent } from '@highline/testkit/router';
import { WebSocket } from 'ws';
import { startHighline, type Cluster, type Highline } from './cluster.ts';
import { inTurn } from './compare.ts';
import { cpuOf, cpuOfFamily, percentile, timed } from './measure.ts';
import { options } from './options.ts';
import { description, seedRouters, type ClaimedRouter } from './routers.seed.ts';
import { assessed, printTable, type Figure } from './table.ts';

const ECHOES = 300;
const ROUNDS = options.short ? 1 : 12;
/** Characters that the shell shows in one go. */
const OUTPUT = options.short ? 1_000_000 : 8_000_000;
const MOST_ECHO_MS = 30;
const MOST_SHARE = 0.05;

/** A shell to which text is sent, and whose output is read. */
interface Shell {
  send(text: string): void;
  /** Resolves with the next output. */
  next(): Promise<unknown>;
  /** Bytes so far. */
  readonly shown: number;
  readonly closed: Promise<unknown>;
}

/** Terminals in the browser: the echo next to stock ssh through the same tunnel, and what recording costs (LIV-07). */
export async function benchTerminal(cluster: Cluster): Promise<void> {
  const database = await cluster.open('bench_terminal');
  const { routers, person } = await seedRouters(database, 2);
  const server = await startHighline(cluster, database);
  const agents = routers.map((router) =>
    startAgent({ server: server.url.replace('http', 'ws'), router: description(router), shell: ['/bin/sh', '-i'] }),
  );
  const call = callsOf(server.url, person.bearer);
  const [ours, theirs] = routers as [ClaimedRouter, ClaimedRouter];
  await until(async () => {
    const { rows } = await database.owner.query<{ online: number }>(
      "select count(*)::int as online from devices where presence = 'online'",
    );
    return rows[0]!.online === routers.length;
  });

  const figures = [
    await benchEcho(server.url, call, ours, theirs),
    ...(await benchRecording(cluster, server, call, ours, 'numbers', 'seq 1000000 9999999')),
    ...(await benchRecording(cluster, server, call, ours, 'random characters', 'base64 /dev/urandom')),
  ];
  await Promise.all(agents.map((agent) => agent.stop()));
  await server.stop();
  await database.close();
  printTable('Terminal in the browser', figures, [
    `Ceiling of the echo: the machine's own ssh at the port of the session, through the same tunnel of another router; ${ECHOES} characters of each in turn.`,
    `Ceiling of the output: the same terminal without recording; ${OUTPUT} characters from the command to the last, ${ROUNDS} of each in turn.`,
  ]);
}

async function benchEcho(url: string, call: Call, ours: ClaimedRouter, theirs: ClaimedRouter): Promise<Figure> {
  await call('recordings/settings', { recorded: true, days: 1 }, 'PUT');
  const browser = await openTerminal(url, call, ours.serial);
  const ssh = await openSsh(call, theirs.serial);
  const echoOf = (shell: Shell) => async () => {
    const shown = shell.next();
    shell.send('x');
    await shown;
  };
  let isTyped = false;
  const clear = async () => {
    // An empty line has nothing to delete, and answers nothing.
    if (!isTyped) return void (isTyped = true);
    for (const shell of [browser, ssh]) {
      const shown = shell.next();
      shell.send('\x7f');
      await shown;
    }
  };
  const samples = await inTurn({ ours: echoOf(browser), raw: echoOf(ssh), before: clear }, options.short ? 5 : ECHOES);
  for (const shell of [browser, ssh]) {
    shell.send('\x7f\rexit\r');
    await shell.closed;
  }
  const ends = (each: readonly number[]) => [percentile(each, 0.5), percentile(each, 0.95)];
  return {
    name: 'echo of a character, p50 / p95, recorded',
    unit: 'ms',
    ours: ends(samples.ours),
    raw: ends(samples.raw),
    aim: assessed(`p95 ≤ ${MOST_ECHO_MS} ms`, percentile(samples.ours, 0.95) <= MOST_ECHO_MS),
  };
}

/** Seconds of processors for an output: of the server, of PostgreSQL, and of this process, which is the router. */
interface Work {
  readonly clock: number;
  readonly server: number;
  readonly database: number;
  readonly router: number;
}

/** @param shows a command of the shell with more output than is taken */
async function benchRecording(
  cluster: Cluster,
  { url, pid }: Highline,
  call: Call,
  { serial }: ClaimedRouter,
  what: string,
  shows: string,
): Promise<Figure[]> {
  const samples: Record<'ours' | 'raw', Work[]> = { ours: [], raw: [] };
  const processors = () => ({ server: cpuOf(pid), database: cpuOfFamily(cluster.pid()), router: cpuOf(process.pid) });
  const run = async (recorded: boolean): Promise<Work> => {
    await call('recordings/settings', { recorded, days: 1 }, 'PUT');
    const shell = await openTerminal(url, call, serial, recorded);
    const before = processors();
    const took = await timed(async () => {
      shell.send(`${shows} | head -c ${OUTPUT}\r`);
      while (shell.shown < OUTPUT) await shell.next();
    });
    shell.send('exit\r');
    // With the last chunk and the end of the recording.
    await shell.closed;
    const after = processors();
    return {
      clock: took / 1_000,
      server: after.server - before.server,
      database: after.database - before.database,
      router: after.router - before.router,
    };
  };
  // The first round compiles.
  for (let round = 0; round <= ROUNDS; round++)
    for (const recorded of round % 2 === 0 ? [true, false] : [false, true]) {
      const work = await run(recorded);
      if (round > 0) samples[recorded ? 'ours' : 'raw'].push(work);
    }
  const of = (side: 'ours' | 'raw', work: (each: Work) => number) =>
    samples[side].map(work).reduce((sum, each) => sum + each, 0) / ROUNDS / (OUTPUT / 1e6);
  const figure = (name: string, work: (each: Work) => number): Figure => ({
    name,
    unit: 'ms',
    ours: [1_000 * of('ours', work)],
    raw: [1_000 * of('raw', work)],
  });
  const all = ({ server, database, router }: Work) => server + database + router;
  const lost = 1 - of('raw', all) / of('ours', all);
  return [
    figure(`output of ${what}, recorded: clock for a MB`, ({ clock }) => clock),
    figure('  processor of the server for a MB', ({ server }) => server),
    figure('  processor of PostgreSQL for a MB', ({ database }) => database),
    figure('  processors of all, with the router', all),
    {
      name: '  throughput lost where processors are the limit',
      unit: '%',
      ours: [100 * lost],
      aim: assessed(`≤ ${MOST_SHARE * 100} %`, lost <= MOST_SHARE),
    },
  ];
}

type Call = <T>(path: string, body: object, method?: 'POST' | 'PUT') => Promise<T>;

function callsOf(url: string, bearer: string): Call {
  return async <T>(path: string, body: object, method: 'POST' | 'PUT' = 'POST') => {
    const response = await fetch(`${url}/data_manager/v1/dm/${path}`, {
      method,
      headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`);
    return JSON.parse(text) as T;
  };
}

async function openTerminal(url: string, call: Call, serial: string, recorded = true): Promise<Shell> {
  const opened = await call<{ ticket: string; recorded: boolean }>('cmds/openTerminal', { serial });
  if (opened.recorded !== recorded) throw new Error('The terminal is not recorded as it was set.');
  const socket = new WebSocket(`${url.replace('http', 'ws')}${remoteAccess.TERMINAL_PATH}`, [
    remoteAccess.TERMINAL_PROTOCOL,
    opened.ticket,
  ]);
  const waiting: ((value: unknown) => void)[] = [];
  let shown = 0;
  socket.on('message', (data: Buffer) => {
    shown += data.length;
    socket.send(JSON.stringify({ shown: data.length }));
    for (const resolve of waiting.splice(0)) resolve(undefined);
  });
  const next = () => new Promise((resolve) => void waiting.push(resolve));
  const prompt = next();
  const closed = once(socket, 'close');
  await Promise.race([prompt, closed]);
  return {
    send: (text) => socket.send(Buffer.from(text)),
    next,
    get shown() {
      return shown;
    },
    closed,
  };
}

/** The machine's own ssh with a terminal, as a person has it open. */
async function openSsh(call: Call, serial: string): Promise<Shell> {
  const input = { serial, type: 'ssh' };
  const { url: host, port } = await call<{ url: string; port: number }>('cmds/connectDevice', input);
  const { content } = await call<{ content: { username: string; password: string } }>('cmds/getOneTimeSecret', input);
  const folder = mkdtempSync(join(tmpdir(), 'highline-ssh-'));
  const askpass = join(folder, 'ask.sh');
  writeFileSync(askpass, '#!/bin/sh\nprintf "%s\\n" "$ONE_TIME_PASSWORD"\n');
  chmodSync(askpass, 0o700);
  const settings = ['StrictHostKeyChecking=no', 'UserKnownHostsFile=/dev/null', 'LogLevel=ERROR'].flatMap((each) => ['-o', each]);
  const args = ['-F', '/dev/null', '-tt', ...settings, '-p', String(port), `${content.username}@${host}`];
  const env = { ...process.env, SSH_ASKPASS: askpass, SSH_ASKPASS_REQUIRE: 'force', ONE_TIME_PASSWORD: content.password };
  const client = spawn('ssh', args, { env });
  const next = () => once(client.stdout, 'data');
  let shown = 0;
  client.stdout.on('data', (data: Buffer) => void (shown += data.length));
  client.stdin.on('error', () => undefined);
  const closed = once(client, 'close').finally(() => rmSync(folder, { recursive: true, force: true }));
  await Promise.race([next(), closed]);
  return {
    send: (text) => client.stdin.write(text),
    next,
    get shown() {
      return shown;
    },
    closed,
  };
}

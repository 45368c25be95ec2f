import { until } from '@highline/testkit/calls';
import { startAgent } from '@highline/testkit/router';
import { startHighline, type Cluster } from './cluster.ts';
import { inTurn } from './compare.ts';
import { percentile } from './measure.ts';
import { options } from './options.ts';
import { description, seedRouters, type ClaimedRouter } from './routers.seed.ts';
import { assessed, printTable, type Figure } from './table.ts';
import { benchRecording } from './terminal-recording.ts';
import { type Shell, openTerminal, openSsh, ROUNDS, OUTPUT, callsOf, type Call } from './terminal-shell.ts';

const ECHOES = 300;

const MOST_ECHO_MS = 30;

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

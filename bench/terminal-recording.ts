import type { Cluster, Highline } from './cluster.ts';
import { cpuOf, cpuOfFamily, timed } from './measure.ts';
import type { ClaimedRouter } from './routers.seed.ts';
import { assessed, type Figure } from './table.ts';
import { openTerminal, ROUNDS, OUTPUT, type Call } from './terminal-shell.ts';

const MOST_SHARE = 0.05;

/** Seconds of processors for an output: of the server, of PostgreSQL, and of this process, which is the router. */
interface Work {
  readonly clock: number;
  readonly server: number;
  readonly database: number;
  readonly router: number;
}

/** @param shows a command of the shell with more output than is taken */
export async function benchRecording(
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

import { parseArgs } from 'node:util';
import { until } from '@highline/testkit/server';
import { type FaultName, faultNames } from './checks.ts';
import { startStormCluster } from './cluster.ts';
import { disturbances, type DisturbanceName } from './disturbances.ts';
import { runRound, type RoundResult } from './round.ts';
import { isAllRight, prepareStorm } from './storm.ts';
import { compareWal } from './wal.ts';

// `npm run soak -- nodes [--rounds N] [--routers N] [--kinds kill,freeze,…] [--former REVISION] [--wal SECONDS]`: three server processes on PostgreSQL with a
// replica, NATS and a store, behind HAProxy, with routers, open consoles, and users at work. In each round a rollout begins, something is
// lost, and afterwards it is counted what is wrong. `--former` is the version before, by its revision in git: the nodes begin with it, half of the
// routers run its agent, and rounds go to this version and back. Without it this is the version before, and a copy with one more migration is upgraded to. `--short`: few routers, and everything is back soon.

const { values } = parseArgs({
  args: process.argv.slice(2),
  allowPositionals: true,
  options: {
    short: { type: 'boolean', default: false },
    rounds: { type: 'string' },
    routers: { type: 'string' },
    kinds: { type: 'string' },
    former: { type: 'string' },
    wal: { type: 'string' },
  },
});
const NODES = 3;
const EACH = Number(values.routers ?? (values.short ? 10 : 300));
/** The upgrade first: until then all nodes are of the version before. A failover meets that version, too. */
const ALL = 'upgrade,kill,freeze,nats,cut-database,cut-nats,cut-front,downgrade,failover';
const KINDS = (values.kinds ?? ALL).split(',') as readonly DisturbanceName[];
const ROUNDS = Number(values.rounds ?? KINDS.length);
const WAL_SECONDS = Number(values.wal ?? (values.short ? 0 : 120));
/** How long something is away: within what others tolerate, and longer than a lease. */
const DURATIONS_MS = values.short ? [2_000] : [3_000, 6_000, 17_000];
/** A router that is right again later than this is a fault (NOD-02). */
const WRONG_SECONDS = 60;

const unknown = KINDS.filter((kind) => disturbances[kind] === undefined);
if (unknown.length > 0) throw new Error(`There is no ${unknown.join(', ')}; there are: ${Object.keys(disturbances).join(', ')}.`);
const cluster = await startStormCluster(NODES, values.former);
const results: RoundResult[] = [];
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void cluster.close().finally(() => process.exit(1)));
try {
  const storm = await prepareStorm(cluster, NODES * EACH);
  await until(() => isAllRight(storm), 300_000);
  console.log(`${NODES} nodes, ${storm.count} routers, ${ROUNDS} rounds`);
  console.log('round  what            seconds  calls ok / failed  commands  mails  sessions / left  longest wrong  faults');
  for (let index = 0; index < ROUNDS; index++) {
    const durationMs = DURATIONS_MS[Math.floor(index / KINDS.length) % DURATIONS_MS.length]!;
    const result = await runRound(storm, [KINDS[index % KINDS.length]!], index, durationMs);
    results.push(result);
    printRound(index, result);
  }
  if (WAL_SECONDS > 0) await compareWal(storm, WAL_SECONDS);
  await storm.watch.stop();
  await storm.fleet.stop();
} finally {
  await cluster.close();
}
printSums();

function faultsOf({ faults, worst }: RoundResult): string[] {
  const counted = faultNames.filter((name) => faults[name] > 0).map((name) => `${faults[name]} ${name}`);
  return worst > WRONG_SECONDS ? [...counted, `a router wrong for ${worst.toFixed(0)} s`] : counted;
}

function printRound(index: number, result: RoundResult): void {
  const { kinds, seconds, acknowledged, failed, commands, mails, sessions, cancelled, worst, note } = result;
  const columns = [
    String(index + 1).padStart(5),
    kinds.join(' ').padEnd(14),
    seconds.toFixed(0).padStart(7),
    `${acknowledged} / ${failed}`.padStart(17),
    String(commands).padStart(8),
    String(mails).padStart(5),
    `${sessions} / ${cancelled}`.padStart(15),
    `${worst.toFixed(1)} s`.padStart(13),
    faultsOf(result).join(', ') || 'none',
  ];
  console.log(`${columns.join('  ')}${note === '' ? '' : ` (${note.trim()})`}`);
}

function printSums(): void {
  const sum = (name: FaultName) => results.reduce((all, { faults }) => all + faults[name], 0);
  console.log(`\nsum of ${results.length} rounds`);
  const total = (name: 'acknowledged' | 'commands' | 'mails' | 'sessions') =>
    results.reduce((all, result) => all + result[name], 0);
  for (const name of ['acknowledged', 'commands', 'mails', 'sessions'] as const) console.log(`${name.padEnd(22)} ${total(name)}`);
  for (const name of faultNames) console.log(`${name.padEnd(22)} ${sum(name)}`);
  console.log(`${'longest wrong router'.padEnd(22)} ${Math.max(...results.map(({ worst }) => worst)).toFixed(1)} s`);
  const bad = results.filter((result) => faultsOf(result).length > 0 || result.note !== '').length;
  console.log(`${'rounds with a fault'.padEnd(22)} ${bad}`);
  process.exitCode = bad > 0 || results.length < ROUNDS ? 1 : 0;
}

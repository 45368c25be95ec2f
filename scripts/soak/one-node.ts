import { setTimeout as pause } from 'node:timers/promises';
import { crashPoints, crashRunKinds, runUpdateWithCrash } from '@highline/testkit/router-crashes';
import { openSoakSetup, ROUTERS, type SoakSetup, type Kind } from './setup.ts';
import { ensureBuilt } from '../toolchain.mjs';

// `npm run soak [-- rounds]`: first one router with one kill -9 at each write of its state and between chunks of a download, for
// good and bad files. Then whole rollouts with one kill -9 in between: of a router, of the server, of PostgreSQL. Every router
// must end with the bound file or report correctly why not, and the counts must match.

const ROUNDS = Number(process.argv[2] ?? 100);
/** Approximate number of state writes of a router from its start to the end of an update. */
const WRITES = 14;

interface Round {
  readonly kind: Kind;
  readonly victim: 'router' | 'server' | 'database';
  /** For the router: the write; for the others: milliseconds after the first router began. */
  readonly moment: number;
}

/** Three of five rounds kill a router, write by write; the others the server and the database, later each time. */
function roundOf(index: number): Round {
  const kind = index % 2 === 0 ? 'firmware' : 'config';
  const turn = Math.floor(index / 5);
  if (index % 5 === 3) return { kind, victim: 'server', moment: (turn * 173) % 2_500 };
  if (index % 5 === 4) return { kind, victim: 'database', moment: (turn * 173) % 2_500 };
  return { kind, victim: 'router', moment: ((turn * 3 + (index % 5)) % WRITES) + 1 };
}

async function run(setup: SoakSetup, { kind, victim, moment }: Round, index: number): Promise<string> {
  const router = index % ROUTERS;
  if (victim === 'router') await setup.scheduleKill(router, moment);
  const label = await setup.bind(kind);
  if (victim !== 'router') {
    await begun(setup, kind);
    await pause(moment);
    if (victim === 'database') setup.server.killDatabase();
    else {
      await setup.server.kill();
      await setup.server.start();
    }
  }
  const again = await retryHonest(setup, kind, label);
  const targets = await setup.finished(kind);
  const bad = targets.filter(({ state, current }) => state !== 'successful' || current !== label);
  const status = await setup.updateStatus();
  if (bad.length > 0 || targets.length !== ROUTERS || status !== `${ROUTERS}/${ROUTERS}`)
    throw new Error(`${label}: ${status}; ${JSON.stringify(bad)}`);
  if (again > 0) return `killed; ${again} correctly reported a failure, and were retried`;
  return victim === 'router' && !setup.wasKilled(router) ? 'that write was never reached' : 'killed';
}

/** Retry routers that reported a failure and kept their previous software. @returns their number */
async function retryHonest(setup: SoakSetup, kind: Kind, label: string): Promise<number> {
  const failed = (await setup.finished(kind)).filter(({ state }) => state !== 'successful');
  for (const { state, reason, current } of failed)
    if (reason === null || current === label || state === 'unsupported') throw new Error(`${label}: ${state} without a reason`);
  if (failed.length > 0) await setup.retry(kind);
  return failed.length;
}

/** Wait until the first router is in progress. */
async function begun(setup: SoakSetup, kind: Kind): Promise<void> {
  for (;;) {
    const { states, total } = await setup.rollout(kind);
    if (states.waiting < total) return;
    await pause(20);
  }
}

/** What a router reports after a successful update of a kind. */
const expected = { firmware: '3.0.0', 'bad-firmware': '2.1.0', config: 'depot.cfg', 'bad-config': 'city.json' } as const;

/** One router, killed at every possible point. @returns number of wrong results */
async function walkRouter(): Promise<number> {
  let wrong = 0;
  for (const kind of crashRunKinds) {
    const cuts = crashPoints(await runUpdateWithCrash(kind));
    for (const cut of cuts) {
      const { active, ends, openRequests } = await runUpdateWithCrash(kind, cut);
      if (active === expected[kind] && ends.length > 0 && openRequests === '0') continue;
      wrong += 1;
      console.log(`${kind} ${JSON.stringify(cut)}: FAILED, runs ${active}, ends ${JSON.stringify(ends)}`);
    }
    console.log(`one router, ${kind}: killed at ${cuts.length} moments`);
  }
  return wrong;
}

// The soak test serves the console, too.
ensureBuilt();
let failures = await walkRouter();
const setup = await openSoakSetup();
try {
  for (let index = 0; index < ROUNDS; index += 1) {
    const round = roundOf(index);
    const begin = performance.now();
    const outcome = await run(setup, round, index).catch((error: unknown) => {
      failures += 1;
      return `FAILED ${String(error)}`;
    });
    const seconds = ((performance.now() - begin) / 1_000).toFixed(1);
    const moment = round.victim === 'router' ? `write ${round.moment}` : `${round.moment} ms`;
    console.log(
      `${String(index + 1).padStart(3)}  ${round.kind.padEnd(8)}  ${round.victim.padEnd(8)}  ${moment.padEnd(8)}  ${seconds} s  ${outcome}`,
    );
  }
} finally {
  await setup.close();
}
console.log(`${ROUNDS} rounds; ${failures} failures in all`);
process.exitCode = failures > 0 ? 1 : 0;

import { setTimeout as pause } from 'node:timers/promises';
import { openHouse, ROUTERS, type House, type Kind } from './house.ts';

// `npm run soak [-- rounds]`: firmware and config rollouts, each with one kill -9 on the way: of a router before each write of its
// state in turn, of the server, of PostgreSQL. Every router must end on what was bound, and the counts must say so.

const ROUNDS = Number(process.argv[2] ?? 100);
/** A router writes its state about so often from its start to the end of an update. */
const WRITES = 14;

interface Round {
  readonly kind: Kind;
  readonly victim: 'router' | 'server' | 'database';
  /** Of the router: which write; of the others: milliseconds after the first router began. */
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

async function run(house: House, { kind, victim, moment }: Round, index: number): Promise<string> {
  const router = index % ROUTERS;
  if (victim === 'router') await house.doom(router, moment);
  const label = await house.bind(kind);
  if (victim !== 'router') {
    await begun(house, kind);
    await pause(moment);
    if (victim === 'database') house.server.killDatabase();
    else {
      await house.server.kill();
      await house.server.start();
    }
  }
  const targets = await house.settled(kind);
  const bad = targets.filter(({ state, current }) => state !== 'successful' || current !== label);
  const status = await house.updateStatus();
  if (bad.length > 0 || targets.length !== ROUTERS || status !== `${ROUTERS}/${ROUTERS}`)
    throw new Error(`${label}: ${status}; ${JSON.stringify(bad)}`);
  return victim === 'router' && !house.wasKilled(router) ? 'that write was never reached' : 'killed';
}

/** Wait until the first router is on its way. */
async function begun(house: House, kind: Kind): Promise<void> {
  for (;;) {
    const { states, total } = await house.rollout(kind);
    if (states.waiting < total) return;
    await pause(20);
  }
}

const house = await openHouse();
let failures = 0;
try {
  for (let index = 0; index < ROUNDS; index += 1) {
    const round = roundOf(index);
    const begin = performance.now();
    const outcome = await run(house, round, index).catch((error: unknown) => {
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
  await house.close();
}
console.log(`${ROUNDS - failures} rounds well, ${failures} failed`);
process.exitCode = failures > 0 ? 1 : 0;

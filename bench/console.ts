import { setTimeout as pause } from 'node:timers/promises';
import { chromium, type Browser, type Page } from '@playwright/test';
import { WebSocket } from 'ws';
import { type FleetHandle, startFleet } from '@highline/testkit/router';
import { ensureBuilt } from '../scripts/toolchain.mjs';
import type { BareResponses } from './bare.ts';
import { startChild } from './child.ts';
import { setRules } from './alerts.ts';
import { startHighline, type BenchDatabase, type Cluster } from './cluster.ts';
import { firstLoadFigures, loadWhileSetUp } from './console.first-load.ts';
import { listFigures } from './console.lists.ts';
import { percentile } from './measure.ts';
import { options } from './options.ts';
import { seedGeofences } from './positions.ts';
import { description, seedRouters, type ClaimedRouters } from './routers.seed.ts';
import { findChromium } from '../scripts/machine.mjs';
import { assessed, printTable, type Figure } from './table.ts';

const ROUTERS = 20;
/** Number of times each router goes off and on. */
const ROUNDS = 6;
const OFF_MS = 2_000;
/** Offset between the routers' changes. */
const STAGGER_MS = 170;
/** Delay recorded for a change that never shows. */
const GIVEN_UP_MS = 15_000;
const MOST_MS = 1_000;

/** First load and download size of /dashboard in Chromium, the delay until an open list shows a router's change, and lists of 100,000 devices. */
export async function benchConsole(cluster: Cluster): Promise<void> {
  ensureBuilt();
  const database = await cluster.open('bench_console');
  const claimed = await seedRouters(database, ROUTERS);
  const server = await startHighline(cluster, database);
  const browser = await launch();
  const figures: Figure[] = [];
  const has = (part: 'first' | 'lists') => options.part === undefined || options.part === part;
  if (has('first')) {
    figures.push(...(await loadWhileSetUp(browser, server.url, claimed.person)));
    await finishSetUp(database);
    figures.push(...(await firstLoadFigures(browser, server.url, claimed.person)));
  }
  if (options.part === undefined) {
    const seen = await changesSeen(browser, server.url, claimed);
    const bare = await bareChangesSeen(browser);
    figures.push(visible('goes offline', seen.offline, bare.offline), visible('comes back', seen.online, bare.online));
  }
  await server.stop();
  await database.close();
  if (has('lists')) figures.push(...(await listFigures(cluster, browser)));
  await browser.close();
  printTable('Console', figures, [
    `Visible: power cuts and returns of ${ROUTERS} routers, ${ROUNDS} of each; from the cut, and from the router's connection, to the DOM.`,
    'First loads: an empty cache, a processor four times slower than that of docs/benchmarks.md, 10 Mbit/s, 40 ms, 1440 px. CPU: of the main thread until the page is idle, at full speed;',
    'in turn: requests until the largest text that waited for the end of another one.',
    'Job: from the call to its end, read every 50 ms; ceiling: one statement that moves the same devices. Median of 3.',
    'Ceiling: a bare ws server that writes each close and open into one event stream, and a page of three lines; the same Chromium.',
  ]);
}

/** A first installation shows how far its set-up is; one that lives does not. */
async function finishSetUp(database: BenchDatabase): Promise<void> {
  const { owner, seeding } = database;
  await seedGeofences(database);
  await setRules(database, 2);
  await owner.query("update devices set presence_since = now() - interval '1 hour'");
  const { rows } = await owner.query<{ organizationId: string; mainAccountId: string }>(
    'select distinct organization_id as "organizationId", main_account_id as "mainAccountId" from devices',
  );
  for (const scope of rows) await seeding.account({ kind: 'organization', ...scope }, 'colleague@bench.example', 'user');
}

function visible(what: string, ours: readonly number[], bare: readonly number[]): Figure {
  const ends = (samples: readonly number[]) => [percentile(samples, 0.5), percentile(samples, 0.99)];
  return {
    name: `a router ${what}: visible after`,
    unit: 'ms',
    ours: ends(ours),
    raw: ends(bare),
    aim: assessed('p99 ≤ 1 s', percentile(ours, 0.99) <= MOST_MS),
  };
}

function launch(): Promise<Browser> {
  return chromium.launch({
    executablePath: findChromium() ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  });
}

interface Seen {
  readonly offline: number[];
  readonly online: number[];
}

type State = 'Online' | 'Offline';

async function changesSeen(browser: Browser, url: string, { routers, person }: ClaimedRouters): Promise<Seen> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 1200 } });
  await page.goto(`${url}/devices/list?size=${ROUTERS}&id=${person.id}&vap=${person.bearer}`);
  await page
    .locator('tbody tr')
    .nth(ROUTERS - 1)
    .waitFor();
  const watched = await watchRows(page);
  const fleet = startFleet({
    server: url.replace('http', 'ws'),
    routers: routers.map(description),
    timing: { bootMs: 0, backoff: { minMs: 50, maxMs: 200, rejectedMs: 500, serverRestartMs: 500 } },
  });
  await Promise.all(routers.map(({ serial }) => watched.becomes(serial, 'Online')));
  const seen: Seen = { offline: [], online: [] };
  const change = async ({ serial }: { readonly serial: string }, index: number) => {
    await pause(index * STAGGER_MS);
    for (let round = 0; round < ROUNDS; round++) await offAndOn(fleet, serial, watched, seen);
  };
  await Promise.all(routers.map(change));
  await fleet.stop();
  await page.close();
  return seen;
}

async function offAndOn(fleet: FleetHandle, serial: string, watched: Watched, seen: Seen): Promise<void> {
  const router = fleet.routers.get(serial)!;
  let connectedAt = Number.NaN;
  const forget = router.on('connected', () => (connectedAt = now()));
  const [offline, online] = [watched.becomes(serial, 'Offline'), watched.becomes(serial, 'Online')];
  const cutAt = now();
  router.powerCut(OFF_MS);
  seen.offline.push((await offline) - cutAt);
  seen.online.push((await online) - connectedAt);
  forget();
}

async function bareChangesSeen(browser: Browser): Promise<Seen> {
  const bare = await startChild<BareResponses>('bare.ts');
  const port = await bare.ask('port');
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${port}/`);
  while ((await bare.ask('readers')) === 0) await pause(20);
  const watched = await watchRows(page);
  const seen: Seen = { offline: [], online: [] };
  for (let round = 0; round < ROUNDS * ROUTERS; round++) {
    const serial = `BENCH-${round}`;
    const online = watched.becomes(serial, 'Online');
    const socket = new WebSocket(`ws://127.0.0.1:${port}/${serial}`);
    await new Promise((resolve) => socket.once('open', resolve));
    const openedAt = now();
    // The page may receive it before we do.
    seen.online.push(Math.max(0, (await online) - openedAt));
    const offline = watched.becomes(serial, 'Offline');
    const cutAt = now();
    socket.terminate();
    seen.offline.push((await offline) - cutAt);
  }
  await page.close();
  await bare.stop();
  return seen;
}

/** The page's Date.now(), with higher resolution. */
function now(): number {
  return performance.timeOrigin + performance.now();
}

interface Watched {
  /** When the row of a router next shows a state: epoch milliseconds by the page's clock. */
  becomes(serial: string, state: State): Promise<number>;
}

/** Watch every change in a table's rows. */
async function watchRows(page: Page): Promise<Watched> {
  const waiting = new Map<string, (at: number) => void>();
  await page.exposeFunction('markBench', (serial: string, state: State, at: number) => {
    waiting.get(`${serial} ${state}`)?.(at);
    waiting.delete(`${serial} ${state}`);
  });
  await page.evaluate(() => {
    const mark = (window as unknown as { markBench(serial: string, state: string, at: number): void }).markBench;
    const shown = new Map<string, string>();
    const look = () => {
      for (const row of document.querySelectorAll('tbody tr')) {
        const serial = /BENCH-\d+/u.exec(row.textContent)?.[0] ?? '';
        const state = /Offline|Online/u.exec(row.textContent)?.[0] ?? '';
        if (shown.get(serial) === state) continue;
        shown.set(serial, state);
        mark(serial, state, Date.now());
      }
    };
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true });
    look();
  });
  return {
    becomes: (serial, state) =>
      new Promise((resolve) => {
        const deadline = setTimeout(() => resolve(now()), OFF_MS + GIVEN_UP_MS);
        waiting.set(`${serial} ${state}`, (at) => {
          clearTimeout(deadline);
          resolve(at);
        });
      }),
  };
}

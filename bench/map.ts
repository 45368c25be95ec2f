import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Page } from '@playwright/test';
import { StrictAgent } from '@highline/testkit/agent';
import { ensureBuilt } from '../scripts/toolchain.mjs';
import { startHighline, type BenchDatabase, type Cluster } from './cluster.ts';
import { benchMapIncident } from './map.incident.ts';
import { percentile } from './measure.ts';
import { options } from './options.ts';
import { seedRouters, type ClaimedRouter } from './routers.seed.ts';
import { findChromium } from '../scripts/machine.mjs';
import { assessed, printTable, type Figure } from './table.ts';

const VEHICLES = options.short ? 500 : 10_000;
const FIXES = options.short ? 3 : 30;
const OPENED = options.short ? 1 : 5;
/** Each vehicle reports every 30 s. */
const MOVING_SECONDS = 30;
const PAN_MS = options.short ? 500 : 4_000;
const STEP_MS = 16;
const MOST_DRAW_MS = 1_500;
const MOST_FIX_MS = 2_000;
const LEAST_FRAMES = 50;
const LOCATION = 'Device.DeviceInfo.Location.1.DataObject';
const WATCHED = 'Bench vehicle';

/** The map of ten thousand vehicles in Chromium, drawn in software: the first draw, a fix of a router until it is on the screen, and panning. */
export async function benchMap(cluster: Cluster): Promise<void> {
  if (options.part !== 'draw') await benchMapIncident(cluster);
  if (options.part === 'call') return;
  ensureBuilt();
  const database = await cluster.open('bench_map');
  const { routers, person } = await seedRouters(database, VEHICLES);
  await seedPlaces(database, routers[0]!);
  const server = await startHighline(cluster, database);
  const browser = await chromium.launch({
    executablePath: findChromium() ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--disable-background-networking'],
  });
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.goto(`${server.url}/?id=${person.id}&vap=${person.bearer}`);
  await page.locator('h1').waitFor();
  const opened: Opened[] = [];
  for (let round = 0; round < OPENED; round++) opened.push(await openMap(page, server.url));
  const frames = await pan(page);
  const moving = moveAll(database);
  const delays = await fixesSeen(page, server.url, routers[0]!);
  const busyFrames = await pan(page);
  await moving.stop();
  await page.goto(`${server.url}/map`);
  await drawnVehicles(page, VEHICLES);
  await page.getByRole('searchbox').first().fill('no vehicle is called so');
  await drawnVehicles(page, 0);
  const emptyFrames = await pan(page);
  await browser.close();
  await server.stop();
  await database.close();
  printTable(`Map of ${VEHICLES} vehicles`, figuresOf(opened, delays, frames, busyFrames, emptyFrames), [
    'First draw: from the navigation to /map, with a warm cache, to the vehicles on the map. Fix: from the notification of a router to the text in the page, with',
    `${Math.round(VEHICLES / MOVING_SECONDS)} other vehicles moving each second. Frames while the map is dragged; ceiling: the same map without vehicles. Drawn in software.`,
  ]);
}

function figuresOf(opened: readonly Opened[], delays: number[], still: number, busy: number, empty: number): Figure[] {
  const drawn = (name: string, times: readonly number[]): Figure => ({
    name,
    unit: 'ms',
    ours: [percentile(times, 0.5), percentile(times, 0.99)],
    aim: assessed('≤ 1.5 s', percentile(times, 0.5) <= MOST_DRAW_MS),
  });
  const panned = (name: string, frames: number): Figure => ({
    name: `frames while the map is dragged, ${name}`,
    unit: '/s',
    ours: [frames],
    raw: [empty],
    aim: assessed(`≥ ${LEAST_FRAMES} frames/s`, frames >= LEAST_FRAMES),
  });
  return [
    drawn(
      'first draw, from the navigation (p50 / p99)',
      opened.map((each) => each.drawn),
    ),
    drawn(
      'first draw, from the call for the vehicles',
      opened.map(({ map }) => map),
    ),
    {
      ...drawn('a fix is on the screen after (p50 / p99)', delays),
      aim: assessed('p99 ≤ 2 s', percentile(delays, 0.99) <= MOST_FIX_MS),
    },
    panned('vehicles stand', still),
    panned('vehicles move', busy),
  ];
}

/** Spread the vehicles over some hundred kilometres; the first one has a name. */
async function seedPlaces({ owner }: BenchDatabase, watched: ClaimedRouter): Promise<void> {
  await owner.query("update router_ownership set owned_from = now() - interval '1 day'");
  await owner.query(
    `insert into router_ownership (router_id, owned_from, organization_id, device_id)
     select r.id, now() - interval '1 day', r.organization_id, r.device_id from routers r
     where not exists (select from router_ownership o where o.router_id = r.id)`,
  );
  await owner.query(
    `insert into router_positions (router_id, at, latitude, longitude, accuracy, speed, heading, is_jump, stored_at)
     select id, now() - interval '1 minute', 40 + 3 * random(), -89 + 3 * random(), 5, 40, floor(random() * 360), false, now() from routers`,
  );
  await owner.query("update devices set presence = 'online'");
  await owner.query('update devices set vehicle_number = $2 where router_id = $1', [watched.id, WATCHED]);
  await owner.query('vacuum analyze router_positions, router_ownership, devices');
}

/** Move a part of the vehicles each second. */
function moveAll({ owner }: BenchDatabase): { stop(): Promise<void> } {
  let running: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => {
    running = owner.query(
      `update router_positions set latitude = latitude + 0.002, at = date_trunc('second', now()), stored_at = now()
       where router_id in (select id from routers where id >= gen_random_uuid() order by id limit ${Math.round(VEHICLES / MOVING_SECONDS)})`,
    );
  }, 1_000);
  return {
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}

const drawnVehicles = (page: Page, count: number) => page.locator(`.vehicle-map[data-drawn="${count}"]`).waitFor();

interface Opened {
  /** Milliseconds from the navigation to the vehicles on the map. */
  readonly drawn: number;
  /** The same from the call for the vehicles: without the start of the console. */
  readonly map: number;
}

async function openMap(page: Page, url: string): Promise<Opened> {
  await page.goto(`${url}/map`, { waitUntil: 'commit' });
  await drawnVehicles(page, VEHICLES);
  return page.evaluate(async () => {
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    const [requested] = performance.getEntriesByType('resource').filter(({ name }) => /\/dm\/positions/u.test(name));
    return { drawn: performance.now(), map: performance.now() - (requested?.startTime ?? 0) };
  });
}

/** Drag the map to and fro. @returns frames a second */
async function pan(page: Page): Promise<number> {
  const box = (await page.locator('.vehicle-map').boundingBox())!;
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.evaluate(() => {
    const counter = { frames: 0, from: performance.now() };
    (window as unknown as { counter: typeof counter }).counter = counter;
    const count = () => {
      counter.frames += 1;
      requestAnimationFrame(count);
    };
    requestAnimationFrame(count);
  });
  await page.mouse.move(x, y);
  await page.mouse.down();
  const begin = performance.now();
  for (let now = begin; now - begin < PAN_MS; now = performance.now()) {
    const angle = ((now - begin) / 1_000) * Math.PI;
    await page.mouse.move(x + 150 * Math.sin(angle), y + 100 * Math.sin(angle / 2));
    await new Promise((resolve) => {
      setTimeout(resolve, STEP_MS);
    });
  }
  const frames = await page.evaluate(() => {
    const { counter } = window as unknown as { counter: { frames: number; from: number } };
    return (counter.frames * 1_000) / (performance.now() - counter.from);
  });
  await page.mouse.up();
  return frames;
}

/** A router reports fixes, one after another. @returns ms from each to its text in the page */
async function fixesSeen(page: Page, url: string, { serial, secret, endpointId }: ClaimedRouter): Promise<number[]> {
  const stateDir = await mkdtemp(join(tmpdir(), 'highline-bench-map-'));
  const agent = new StrictAgent({ server: url.replace('http', 'ws'), serial, secret, endpointId, stateDir });
  agent.powerOn();
  while (!agent.subscriptions.includes('highline-location'))
    await new Promise((resolve) => {
      setTimeout(resolve, 50);
    });
  await page.getByRole('list', { name: 'Vehicles on the map' }).getByRole('button', { name: WATCHED }).click();
  const delays: number[] = [];
  const first = Math.floor(Date.now() / 1_000) - FIXES;
  for (let fix = 0; fix < FIXES; fix++) {
    const latitude = (41 + fix / 1_000).toFixed(5);
    const begin = performance.now();
    agent.change(LOCATION, pidfLo(latitude, first + fix));
    await page.waitForFunction(
      (text) => document.querySelector('.vehicle-card')?.textContent.includes(text),
      `${latitude}, -87.5`,
    );
    delays.push(performance.now() - begin);
  }
  agent.cutPower();
  await rm(stateDir, { recursive: true, force: true });
  return delays;
}

const pidfLo = (latitude: string, at: number) =>
  `<presence xmlns="urn:ietf:params:xml:ns:pidf" xmlns:gp="urn:ietf:params:xml:ns:pidf:geopriv10" entity="pres:a@example.net">
    <tuple id="t"><status><gp:geopriv><gp:location-info><gml:Point xmlns:gml="http://www.opengis.net/gml"
    srsName="urn:ogc:def:crs:EPSG::4326"><gml:pos>${latitude} -87.5</gml:pos></gml:Point></gp:location-info></gp:geopriv></status>
    <timestamp>${new Date(at * 1_000).toISOString()}</timestamp></tuple></presence>`;

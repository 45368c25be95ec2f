import type { Browser, Page } from '@playwright/test';
import { startHighline, type BenchDatabase, type Cluster, type Highline } from './cluster.ts';
import { DEVICES, seedDevices, type BigOrganization } from './devices.seed.ts';
import { moveFigure } from './devices.job.ts';
import { percentile } from './measure.ts';
import { options } from './options.ts';
import { assessed, whole, type Figure } from './table.ts';

/** How often the lists are switched, after each of them was opened once. */
const SWITCHES = 20;
const SWITCH_MS = 100;
/** Devices whose texts are found in the palette: up to four each. */
const FOUND = options.short ? 2 : 15;
const PALETTE_MS = 50;
const LISTS = ['Devices', 'SIMs', 'Groups', 'Devices', 'Logs'] as const;

const count = options.devices ?? DEVICES;

/** Lists of an organization with 100,000 devices: switching between them and the palette in Chromium, and a job that moves 10,000 of them. */
export async function listFigures(cluster: Cluster, browser: Browser): Promise<Figure[]> {
  const database = await cluster.open(`bench_devices_${count}`);
  const organization = await database.seeded(() => seedDevices(database, count));
  const bearer = await database.seeding.bearer(organization.adminId);
  const server = await startHighline(cluster, database);
  const figures = [
    await switchFigure(browser, server, organization.adminId, bearer),
    await paletteFigure(browser, server, organization.adminId, bearer, await textsToFind(database, organization)),
    await moveFigure(database, organization, server, bearer),
  ];
  await server.stop();
  await database.close();
  return figures;
}

async function switchFigure(browser: Browser, { url }: Highline, id: string, bearer: string): Promise<Figure> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.goto(`${url}/devices/list?size=20&id=${id}&vap=${bearer}`);
  await page.locator('tbody tr[data-row]').first().waitFor();
  for (const list of LISTS) await switchTo(page, list);
  const taken: number[] = [];
  for (let round = 0; round < SWITCHES; round++) taken.push(await switchTo(page, LISTS[round % LISTS.length]!));
  await page.close();
  const p99 = percentile(taken, 0.99);
  return {
    name: `switch to another list, ${whole(count)} devices: its rows visible after`,
    unit: 'ms',
    ours: [percentile(taken, 0.5), p99],
    aim: assessed(`p99 ≤ ${SWITCH_MS} ms`, p99 <= SWITCH_MS),
  };
}

/** @returns ms from the click in the sidebar to the heading and the table of that list, painted; by the page's clock */
function switchTo(page: Page, name: string): Promise<number> {
  return page.evaluate(async (title) => {
    const link = [...document.querySelectorAll<HTMLElement>('.sidebar__entry')].find(({ textContent }) => textContent === title);
    if (link === undefined) throw new Error(`There is no entry ${title}.`);
    // The pointer is on the entry before it is pressed, as a person's is.
    link.dispatchEvent(new PointerEvent('pointerover', { bubbles: true }));
    const begin = performance.now();
    link.click();
    const isThere = () =>
      document.querySelector('h1')?.textContent === title &&
      document.querySelector('[aria-busy="true"]') === null &&
      document.querySelector('tbody tr[data-row], .state') !== null;
    while (!isThere() || link.getAttribute('aria-current') !== 'page')
      await new Promise((resolve) => requestAnimationFrame(resolve));
    return performance.now() - begin;
  }, name);
}

/** What people type: beginnings of vehicles, serial numbers, ICCIDs, and what nothing has. */
async function textsToFind({ owner }: BenchDatabase, { organizationId }: BigOrganization): Promise<string[]> {
  const { rows } = await owner.query<Record<'serial' | 'vehicle' | 'iccid', string | null>>(
    'select serial, vehicle_number as vehicle, iccid from devices where organization_id = $1 order by id limit $2',
    [organizationId, FOUND],
  );
  const known = rows.flatMap(({ serial, vehicle, iccid }, index) => [
    vehicle?.slice(0, 2 + (index % 6)),
    serial?.slice(-3 - (index % 4)),
    iccid,
    `zq${index}x`,
  ]);
  return [...new Set(known.filter((text) => text !== null && text !== undefined))];
}

async function paletteFigure(
  browser: Browser,
  { url }: Highline,
  id: string,
  bearer: string,
  texts: readonly string[],
): Promise<Figure> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.goto(`${url}/devices/list?size=20&id=${id}&vap=${bearer}`);
  await page.locator('tbody tr[data-row]').first().waitFor();
  await page.keyboard.press('Control+K');
  await page.locator('.palette__list').waitFor();
  const taken: number[] = [];
  for (const text of ['warm', 'up', ...texts]) taken.push(await find(page, text));
  await page.close();
  const p95 = percentile(taken.slice(2), 0.95);
  return {
    name: `palette in the console, ${texts.length} texts: results visible after (p50 / p95)`,
    unit: 'ms',
    ours: [percentile(taken.slice(2), 0.5), p95],
    aim: assessed(`p95 ≤ ${PALETTE_MS} ms`, p95 <= PALETTE_MS),
  };
}

/** @returns ms from the text in the field of the palette to the frame that has the answer to it */
function find(page: Page, text: string): Promise<number> {
  return page.evaluate(async (typed) => {
    const field = document.querySelector<HTMLInputElement>('dialog input[role="combobox"]')!;
    const setValue = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!.set!;
    const begin = performance.now();
    setValue.call(field, typed);
    field.dispatchEvent(new Event('input', { bubbles: true }));
    const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    await nextFrame();
    while (document.querySelector('.palette__list')?.getAttribute('aria-busy') !== 'false') await nextFrame();
    return performance.now() - begin;
  }, text);
}

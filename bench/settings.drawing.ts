import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { chromium, type Page } from '@playwright/test';
import { findChromium } from '../scripts/machine.mjs';
import { ensureBuilt } from '../scripts/toolchain.mjs';
import { startHighline, type BenchDatabase, type Cluster, type Highline } from './cluster.ts';
import { percentile } from './measure.ts';
import { options } from './options.ts';
import { seedRouters } from './routers.seed.ts';
import { assessed, printTable, whole } from './table.ts';

const PARAMETERS = 2_000;
/** Every fifth one differs. */
const CHANGED_EACH = 5;
const ROUNDS = options.short ? 2 : 15;
const MOST_MS = 100;

/** The difference of two versions of a router's configuration in Chromium: from the end of its answer to the last line. */
export async function benchDrawing(cluster: Cluster): Promise<void> {
  ensureBuilt();
  const database = await cluster.open('bench_settings_drawing');
  const { person } = await seedRouters(database, 1);
  const server = await startHighline(cluster, database);
  const device = await findDevice(database);
  for (const mark of ['before', 'after']) await upload(database, server, textOf(mark));
  const browser = await chromium.launch({
    executablePath: findChromium() ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  });
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.goto(`${server.url}/devices/setting?device=${device}&tab=settings&id=${person.id}&vap=${person.bearer}`);
  await page.getByRole('button', { name: 'Show differences' }).first().waitFor();
  const processor = await watchProcessor(page);
  // The first one also loads what a dialog needs.
  const all: Drawn[] = [];
  for (let round = 0; round <= ROUNDS; round++) all.push(await draw(page, processor));
  const taken = all.slice(1).map(({ ms }) => ms);
  const used = all.slice(1).map(({ processorMs }) => processorMs);
  await browser.close();
  await server.stop();
  await database.close();
  const p99 = percentile(taken, 0.99);
  printTable('A difference in the browser', [
    {
      name: `${whole(PARAMETERS)} parameters, ${whole(PARAMETERS / CHANGED_EACH)} of them changed`,
      unit: 'ms',
      ours: [percentile(taken, 0.5), p99],
      aim: assessed(`p99 ≤ ${MOST_MS} ms`, p99 <= MOST_MS),
    },
    {
      name: '  processor of the page, from the click on',
      unit: 'ms',
      ours: [percentile(used, 0.5), percentile(used, 0.99)],
    },
  ]);
}

async function findDevice({ owner }: BenchDatabase): Promise<string> {
  const { rows } = await owner.query<{ id: string }>('select id from devices');
  return rows[0]!.id;
}

function textOf(mark: string): string {
  const lines = Array.from({ length: PARAMETERS }, (_, at) => {
    const value = at % CHANGED_EACH === 0 ? mark : 'same';
    return `Device.NAT.PortMapping.${at}.Description = "${value} ${at}"`;
  });
  return `${lines.join('\n')}\n`;
}

/** Store a version as its router would send it. */
async function upload({ owner }: BenchDatabase, { url }: Highline, contents: string): Promise<void> {
  const secret = randomBytes(32).toString('base64url');
  await owner.query(insertTransfer, [randomUUID(), createHash('sha256').update(secret).digest()]);
  const answer = await fetch(`${url}/transfers/${secret}`, { method: 'PUT', body: contents });
  if (answer.status !== 204) throw new Error(await answer.text());
  await owner.query(`update sent_commands set state = 'done', ended_at = now(), due_at = null where kind = 'backup-config'`);
}

const insertTransfer = `with command as (
    insert into sent_commands (id, organization_id, main_account_id, device_id, router_id, serial, kind, actor, state, created_at, expires_at, due_at)
    select $1, organization_id, main_account_id, id, router_id, serial, 'backup-config', '{"email":"bench@highline.example"}', 'running', now(),
      now() + interval '1 day', now() + interval '1 day' from devices returning *)
  insert into router_backup_transfers (address_hash, organization_id, command_id, device_id, router_id, created_at)
  select $2, organization_id, id, device_id, router_id, now() from command`;

interface Drawn {
  /** From the end of the answer to the painted dialog. */
  readonly ms: number;
  readonly processorMs: number;
}

async function draw(page: Page, processorMs: () => Promise<number>): Promise<Drawn> {
  const before = await processorMs();
  await page.getByRole('button', { name: 'Show differences' }).first().click();
  const ms = await page.evaluate(async (least) => {
    const painted = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    const countLines = () =>
      Array.from(document.querySelectorAll('.text-lines__margin'), (each) => each.textContent.split('\n').length).reduce(
        (sum, count) => sum + count,
        0,
      );
    while (countLines() < least) await painted();
    await painted();
    const end = performance.now();
    const answers = performance
      .getEntriesByType('resource')
      .filter(({ name }) => name.includes('/text')) as PerformanceResourceTiming[];
    return end - answers.at(-1)!.responseEnd;
  }, PARAMETERS);
  const used = (await processorMs()) - before;
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  return { ms, processorMs: used };
}

/** @returns processor time of the page's own thread until now */
async function watchProcessor(page: Page): Promise<() => Promise<number>> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  return async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN) * 1_000;
  };
}

import { setTimeout as pause } from 'node:timers/promises';
import type { Browser, CDPSession, Page } from '@playwright/test';
import { analysis } from '@highline/contract';
import { percentile } from './measure.ts';
import { options } from './options.ts';
import { measureSlowness } from './slowness.ts';
import { assessed, type Figure } from './table.ts';

const ROUNDS = options.short ? 1 : 5;
/** A laptop of a few years ago on a mobile network: a processor four times slower than that of docs/benchmarks.md, 10 Mbit/s, 40 ms. */
const SLOWER = 4;
const NETWORK = { offline: false, latency: 40, downloadThroughput: 10e6 / 8, uploadThroughput: 10e6 / 8 };
/** What the page fetches when it is idle belongs to its first load. */
const IDLE_MS = 2_000;
const MOST_BYTES = 200_000;
const MOST_LCP_MS = 1_200;
const MOST_CLS = 0.02;

interface Person {
  readonly id: string;
  readonly bearer: string;
}

/** One load with an empty cache. */
interface Load {
  /** Milliseconds to the first and to the largest text. */
  readonly fcp: number;
  readonly lcp: number;
  /** What is the largest. */
  readonly largest: string;
  readonly cls: number;
  /** Bytes of scripts and styles, and of fonts, as they are sent, without headers. */
  readonly code: number;
  readonly fonts: number;
  readonly files: number;
  /** Milliseconds of processor time of the page's main thread, as if the browser did not make it slower. */
  readonly busy: number;
  /** The longest chain of requests in which each began after the one before had ended. */
  readonly chain: number;
}

/**
 * The first load of /dashboard on a slow processor and network (a quarter of the processor, 10 Mbit/s, 40 ms), with an empty cache, without and with a
 * pinned chart: LCP, CLS, and bytes of JS and CSS and, apart, of fonts.
 */
export async function firstLoadFigures(browser: Browser, url: string, person: Person): Promise<Figure[]> {
  const rate = chooseRate();
  const plain = await loads(browser, url, person, rate);
  const pinned = await pinChart(url, person);
  const withChart = await loads(browser, url, person, rate);
  await pinned.remove();
  const { code } = await load(browser, url, person, rate, 'gzip');
  const aim = assessed('≤ 200 kB', code <= MOST_BYTES);
  const zipped: Figure = { name: '/dashboard: JS + CSS, gzip', unit: 'kB', ours: [code / 1_000], aim };
  return [...figures('/dashboard', plain), zipped, ...figures('with a pinned chart', withChart)];
}

/** The same, while the page says how far the set-up of the organization is. */
export async function loadWhileSetUp(browser: Browser, url: string, person: Person): Promise<Figure[]> {
  return figures('/dashboard during the set-up', await loads(browser, url, person, chooseRate()));
}

function chooseRate(): number {
  const rate = Math.max(1, SLOWER / measureSlowness());
  console.log(`The browser makes the processor ${rate.toFixed(2)} times slower.`);
  return rate;
}

function figures(name: string, all: readonly Load[]): Figure[] {
  const median = (of: (load: Load) => number) => percentile(all.map(of), 0.5);
  const [lcp, cls, code] = [median((load) => load.lcp), Math.max(...all.map((load) => load.cls)), median((load) => load.code)];
  const { largest } = all.at(-1)!;
  return [
    {
      name: `${name}: LCP, FCP; medians of ${all.length}`,
      unit: 'ms',
      ours: [lcp, median((load) => load.fcp)],
      aim: `${assessed(`≤ ${MOST_LCP_MS / 1_000} s`, lcp <= MOST_LCP_MS)}; ${largest}`,
    },
    { name: `${name}: CLS, the worst`, unit: '', ours: [cls], aim: assessed(`≤ ${MOST_CLS}`, cls <= MOST_CLS) },
    {
      name: `${name}: JS + CSS, br, ${median((load) => load.files)} files; fonts`,
      unit: 'kB',
      ours: [code / 1_000, median((load) => load.fonts) / 1_000],
      aim: assessed('≤ 200 kB', code <= MOST_BYTES),
    },
    {
      name: `${name}: CPU of the main thread; ${median((load) => load.chain)} requests in turn`,
      unit: 'ms',
      ours: [median((load) => load.busy)],
    },
  ];
}

async function loads(browser: Browser, url: string, person: Person, rate: number): Promise<Load[]> {
  const all: Load[] = [];
  for (let round = 0; round < ROUNDS; round++) all.push(await load(browser, url, person, rate));
  return all;
}

interface Sent {
  readonly kind: string;
  readonly headers: number;
}

async function load(browser: Browser, url: string, { id, bearer }: Person, rate: number, encoding = 'br'): Promise<Load> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const cookies = [
    { name: 'id', value: id, url },
    { name: 'vap', value: bearer, url, httpOnly: true },
  ];
  await context.addCookies(cookies);
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Performance.enable');
  // As over HTTPS.
  await session.send('Network.setExtraHTTPHeaders', { headers: { 'Accept-Encoding': encoding } });
  await session.send('Network.emulateNetworkConditions', NETWORK);
  await session.send('Emulation.setCPUThrottlingRate', { rate });
  await observe(page);
  const sent = count(session);
  // Not with a locator, whose script would run in the page before its largest text is there: a fifteenth of that time.
  const rows = page.waitForResponse(/\/dm\/devices/u);
  await page.goto(`${url}/dashboard`);
  await (await rows).finished();
  await pause(IDLE_MS);
  const seen = await page.evaluate(() => (window as unknown as { seen: Pick<Load, 'fcp' | 'lcp' | 'largest' | 'cls'> }).seen);
  const { metrics } = await session.send('Performance.getMetrics');
  const seconds = metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0;
  const chain = await page.evaluate(longestChain);
  if ((await page.locator('tbody tr[data-row]').count()) === 0) throw new Error('The overview has no rows.');
  if (process.env['BENCH_WATERFALL'] !== undefined) console.log(await page.evaluate(waterfall));
  await context.close();
  return { ...seen, ...sent(), busy: (seconds * 1_000) / rate, chain };
}

/** Record the paints and the shifts of the page from its first moment on. */
async function observe(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const seen = { fcp: 0, lcp: 0, largest: '', cls: 0 };
    (window as unknown as { seen: typeof seen }).seen = seen;
    const each = (type: string, take: (entry: PerformanceEntry) => void) => {
      new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true });
    };
    each('paint', ({ name, startTime }) => {
      if (name === 'first-contentful-paint') seen.fcp = startTime;
    });
    each('largest-contentful-paint', (entry) => {
      const { element, startTime } = entry as PerformanceEntry & { readonly element: Element | null };
      seen.lcp = startTime;
      seen.largest = `<${element?.tagName.toLowerCase() ?? 'gone'}> ${(element?.textContent ?? '').slice(0, 30)}`;
    });
    each('layout-shift', (entry) => {
      const { hadRecentInput, value } = entry as PerformanceEntry & { readonly hadRecentInput: boolean; readonly value: number };
      if (!hadRecentInput) seen.cls += value;
    });
  });
}

/** The bytes that were sent for the page, once it has loaded. */
function count(session: CDPSession): () => Pick<Load, 'code' | 'fonts' | 'files'> {
  const sent = new Map<string, Sent>();
  const sizes = new Map<string, number>();
  session.on('Network.responseReceived', ({ requestId, response }) => {
    const kind = /\.(js|css|woff2)$/u.exec(new URL(response.url).pathname)?.[1];
    if (kind !== undefined) sent.set(requestId, { kind, headers: response.encodedDataLength });
  });
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => sizes.set(requestId, encodedDataLength));
  const bytes = (kinds: readonly string[]) =>
    [...sent]
      .filter(([, { kind }]) => kinds.includes(kind))
      .reduce((sum, [requestId, { headers }]) => sum + Math.max(0, (sizes.get(requestId) ?? headers) - headers), 0);
  return () => ({ code: bytes(['js', 'css']), fonts: bytes(['woff2']), files: sent.size });
}

/** Runs in the page. @returns how many requests were made one after another until the first rows, the page's own included */
function longestChain(): number {
  const until = (window as unknown as { seen: { lcp: number } }).seen.lcp;
  const entries = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
    .map((entry) => entry as PerformanceResourceTiming)
    .filter(({ responseEnd, name }) => responseEnd > 0 && responseEnd <= until && !name.endsWith('.woff2'))
    .toSorted((one, other) => one.responseEnd - other.responseEnd);
  let [chain, end] = [0, -1];
  for (const { startTime, responseEnd } of entries) {
    if (startTime < end) continue;
    chain += 1;
    end = responseEnd;
  }
  return chain;
}

/** Runs in the page. @returns when each request began and ended, a line each */
function waterfall(): string {
  return [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
    .map((entry) => entry as PerformanceResourceTiming)
    .map(({ name, startTime, responseStart, responseEnd }) =>
      [startTime, responseStart, responseEnd, new URL(name).pathname]
        .map((part) => (typeof part === 'number' ? part.toFixed(0) : part))
        .join('\t'),
    )
    .join('\n');
}

/** Pin a chart to the person's overview. */
async function pinChart(url: string, { bearer }: Person): Promise<{ remove(): Promise<void> }> {
  const headers = { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' };
  const body = JSON.stringify({
    spec: {},
    api: { chartType: 'average', arguments: { propertyId: 'rssi', dayType: 'today', window: '1h' } },
    content: { mark: 'line', title: 'Signal', argsLabel: [] },
  });
  const response = await fetch(`${url}${analysis.storeDraw.path}`, { method: 'POST', headers, body });
  if (!response.ok) throw new Error(`The chart was not pinned: ${response.status} ${await response.text()}`);
  const { result } = (await response.json()) as { result: { id: string } };
  return {
    async remove() {
      await fetch(`${url}${analysis.deleteDraw.path.replace('{draw}', result.id)}`, { method: 'DELETE', headers });
    },
  };
}

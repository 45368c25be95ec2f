import { chromium } from '@playwright/test';
import { gzipSync } from 'node:zlib';
import { ms, percentile, type Figure } from './figures.ts';
import { until, type Stage } from './stage.ts';

const LAUNCH = {
  executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
};

/** What /dashboard loads, and how soon a change is on the screen. */
export async function benchConsole(stage: Stage): Promise<Figure[]> {
  const browser = await chromium.launch(LAUNCH);
  try {
    const page = await browser.newPage({ baseURL: stage.url });
    let bytes = 0;
    const bodies: Promise<void>[] = [];
    page.on('response', (response) => {
      if (/\.(?:js|css)$/u.test(new URL(response.url()).pathname))
        bodies.push(response.body().then((body) => void (bytes += gzipSync(body).length)));
    });
    const bearer = await stage.signIn('admin');
    const { rows } = await stage.owner.query<{ id: string }>("select id from accounts where email = 'admin@highline.demo'");
    await page.goto(`/dashboard?id=${rows[0]!.id}&vap=${bearer}`);
    await page.waitForSelector('table tbody tr');
    await Promise.all(bodies);
    const samples = await changes(stage, page, bearer);
    return [
      { name: 'JS + CSS gz on /dashboard', ours: `${(bytes / 1000).toFixed(1)} kB`, ceiling: '', ratio: '', aim: '≤ 200 kB' },
      {
        name: 'change visible in an open console',
        ours: `p50 ${ms(percentile(samples, 0.5))}, p99 ${ms(percentile(samples, 0.99))}`,
        ceiling: '',
        ratio: '',
        aim: 'p99 ≤ 1 s',
      },
    ];
  } finally {
    await browser.close();
  }
}

/** From a committed change of a router's state, as the gateway writes it, to the text on the screen. */
async function changes(stage: Stage, page: import('@playwright/test').Page, bearer: string): Promise<number[]> {
  await page.goto('/devices/list?sort=-vehicle&size=5');
  await page.waitForSelector('table tbody tr');
  const answer = await fetch(`${stage.url}/data_manager/v1/dm/devices?sort=-vehicle&limit=1&offset=0`, {
    headers: { authorization: `Bearer ${bearer}` },
  });
  const { result } = (await answer.json()) as { result: { device: string }[] };
  const samples: number[] = [];
  for (let index = 0; index < 40; index += 1) {
    const note = `seen ${index}`;
    const begin = performance.now();
    const saved = await fetch(`${stage.url}/data_manager/v1/dm/device`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
      body: JSON.stringify({ device: result[0]!.device, note }),
    });
    if (!saved.ok) throw new Error(await saved.text());
    await until(async () => (await page.locator('table tbody').innerText()).includes(note), 10_000);
    samples.push(performance.now() - begin);
  }
  return samples;
}

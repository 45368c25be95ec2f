import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../toolchain.mjs';
import type { Figure } from './figures.ts';
import { freePort, until } from './stage.ts';

/** Seconds from `npm start` to a sign-in page that answers. */
async function seconds(checkout: string): Promise<number> {
  const port = await freePort();
  const data = mkdtempSync(join(tmpdir(), 'highline-start-'));
  const begin = performance.now();
  const child = spawn('npm', ['start'], {
    cwd: checkout,
    env: { ...process.env, PORT: String(port), HIGHLINE_DATA_DIR: data },
    stdio: 'ignore',
    detached: true,
  });
  await until(async () => (await fetch(`http://127.0.0.1:${port}/account.html`)).ok, 300_000);
  const taken = (performance.now() - begin) / 1000;
  process.kill(-child.pid!, 'SIGTERM');
  await new Promise((resolve) => {
    child.once('exit', resolve);
  });
  rmSync(data, { recursive: true, force: true });
  return taken;
}

/** A bare clone installs and builds first; an installed checkout only starts. */
export async function benchStart(): Promise<Figure[]> {
  const clone = mkdtempSync(join(tmpdir(), 'highline-clone-'));
  execFileSync('git', ['clone', '--quiet', root, clone]);
  const bare = await seconds(clone);
  const installed = await seconds(clone);
  rmSync(clone, { recursive: true, force: true });
  return [
    { name: 'bare clone → sign-in page', ours: `${bare.toFixed(1)} s`, ceiling: '', ratio: '', aim: '' },
    { name: 'installed → sign-in page', ours: `${installed.toFixed(1)} s`, ceiling: '', ratio: '', aim: '' },
  ];
}

import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort, until } from '@highline/testkit/server';
import { stage } from './release.mjs';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'highline-release-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('NOD-07-partial a release serves console and calls elsewhere, with its own packages and an embedded database', async () => {
  const release = join(folder, 'release');
  await stage(release);
  const names = readdirSync(release, { recursive: true, encoding: 'utf8' });
  expect(
    names.filter((name) =>
      /^(?:apps|packages).*\.test\.ts$|^node_modules\/(?:vitest|vite|typescript|@playwright|react)\b/u.test(name),
    ),
  ).toEqual([]);

  const port = await freePort();
  const environment = {
    PATH: `${dirname(process.execPath)}:/usr/bin:/bin:/usr/sbin:/sbin`,
    PORT: String(port),
    HOST: '127.0.0.1',
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    HIGHLINE_MASTER_KEY: randomBytes(32).toString('base64'),
    HIGHLINE_DATA_DIR: join(folder, 'data'),
    SMTP_URL: 'none',
    LOG_LEVEL: 'warn',
  };
  const program = join(release, 'bin', 'highline');
  const child = spawn(program, ['serve'], { cwd: folder, env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const ended = once(child, 'exit');
  try {
    await until(async () => {
      if (child.exitCode !== null) throw new Error(`The server ended: ${output}`);
      return (await fetch(`http://127.0.0.1:${port}/healthz`)).ok;
    });
    const page = await fetch(`http://127.0.0.1:${port}/`, { headers: { accept: 'text/html' } });
    const script = /src="(\/assets\/[^"]+\.js)"/u.exec(await page.text())![1]!;
    expect((await fetch(`http://127.0.0.1:${port}${script}`)).status).toBe(200);
    expect(output).toContain('/account.html?setup=');
    const backup = spawnSync(program, ['backup', '--to', join(folder, 'backup')], { env: environment, encoding: 'utf8' });
    expect([backup.status, backup.stderr]).toEqual([0, '']);
  } finally {
    child.kill('SIGTERM');
  }
  expect((await ended)[0]).toBe(0);
  expect(existsSync(join(folder, 'data', 'postgres', 'data', 'postmaster.pid'))).toBe(false);
});

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ask, signInToDemo, until } from '../testing/call.ts';
import { startServerProcess, type ServerProcess } from '../testing/process.ts';

let folder: string;
let server: ServerProcess;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'highline-demo-'));
  server = await startServerProcess(folder, 30, []);
});
afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

test('the demo starts its routers as processes of their own, and each of its vehicles comes online', async () => {
  const { vap: bearer } = await signInToDemo(server.url, 'main');
  const seen = new Set<string>();
  await until(async () => {
    const list = await ask<{ device: string; presence: string }[]>(`${server.url}/data_manager/v1/dm/devices?limit=50`, {
      bearer,
    });
    // A few of them lose coverage now and then.
    for (const { device, presence } of list) if (presence === 'online') seen.add(device);
    expect(list).toHaveLength(24);
    return seen.size === list.length;
  });
});

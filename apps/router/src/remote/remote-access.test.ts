import { once } from 'node:events';
import type { Client } from 'ssh2';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createManualScheduler } from '../platform/scheduler.ts';
import { createBareRouter } from '../testing/view.ts';
import { TunnelCloud } from '../testing/tunnel-cloud.ts';
import type { RemoteHost } from './host.ts';
import { createHostKey } from './host-key.ts';
import { Journal } from './journal.ts';
import { RemoteAccess } from './remote-access.ts';
import type { WantedGrant, WantedTunnel } from './wanted.ts';

const hostKey = createHostKey(undefined, () => undefined);
const GRANT: WantedGrant = { username: 'hl-abc123', password: 'correct horse battery', service: 'SSH', seconds: 300 };

let cloud: TunnelCloud;
let scheduler: ReturnType<typeof createManualScheduler>;
let host: RemoteHost;
let access: RemoteAccess;

beforeEach(async () => {
  cloud = await TunnelCloud.start();
  scheduler = createManualScheduler();
  host = {
    router: createBareRouter().view,
    scheduler,
    log: () => undefined,
    journal: new Journal(() => scheduler.now()),
    hostKey,
    home: () => 'ws://localhost:8080/usp/secret?eid=x',
    set: () => undefined,
    restart: () => undefined,
  };
  access = new RemoteAccess(host);
});

afterEach(async () => {
  access.end('the test is over', false);
  await cloud.stop();
});

function wanted(changes: Partial<WantedTunnel> = {}): WantedTunnel {
  return { address: cloud.address, user: 's-1', secret: cloud.secret, hostKey: cloud.fingerprint, service: 'SSH', ...changes };
}

/** A tunnel that is open, with credentials for one person. */
async function openFor(grant: Partial<WantedGrant> = {}): Promise<void> {
  expect(access.open(wanted())).toBeUndefined();
  await cloud.until(() => cloud.forwards.length === 1);
  expect(access.grant('s-1', { ...GRANT, ...grant })).toBeUndefined();
}

async function exec(client: Client, command: string): Promise<{ text: string; status: number }> {
  return await new Promise((resolve, reject) => {
    client.exec(command, (error, channel) => {
      if (error) return reject(error);
      let text = '';
      let status = -1;
      channel.on('data', (bytes: Buffer) => (text += bytes.toString()));
      channel.on('exit', (code: number) => (status = code));
      return channel.on('close', () => resolve({ text, status }));
    });
  });
}

describe('a way into a router', () => {
  it('RMT-07-partial leads an SSH client to the command line of a router that only called out', async () => {
    await openFor();
    const client = await cloud.signIn(GRANT.username, GRANT.password);
    const { text, status } = await exec(client, 'show sim');
    expect(text).toContain('ICCID    89999990000000000033\n');
    expect(status).toBe(0);
    expect(await exec(client, 'rm -rf /')).toEqual({ text: "rm: no such command. Type 'help' for the list.\n", status: 127 });
    expect(access.statusOf('SSH').sessions).toBe(1);
    client.end();
    await once(client, 'close');
  });
});

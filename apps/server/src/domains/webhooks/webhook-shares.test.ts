import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../kernel/index.ts';
import { ask, send } from '../../testing/call.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { startCallReceiver, type CallReceiver } from '../../testing/call-receiver.ts';

const WEBHOOKS = '/data_manager/v1/dm/webhooks';

let server: TestServer;
let silent: CallReceiver;
let receiver: CallReceiver;

beforeAll(async () => {
  server = await startTestServer({
    environment: { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1' },
    // Longer than the test: a silent receiver holds its place.
    webhooks: { timeoutMs: 600_000 },
  });
  [silent, receiver] = [await startCallReceiver(), await startCallReceiver()];
});
afterAll(async () => {
  await silent.close();
  await receiver.close();
  await server.close();
});

/** A webhook of a new organization. @returns sends a test of it, and answers with the status of the call */
async function openWebhook(name: string, { url }: CallReceiver): Promise<() => Promise<number>> {
  const { scope: main } = await server.seeding.mainAccount(name);
  const own = await server.seeding.organization(main, name);
  const bearer = await server.seeding.bearer(await server.seeding.account(own, `${newId()}@tests.invalid`, 'admin'));
  const { id } = await ask<{ id: string }>(`${server.url}${WEBHOOKS}`, { bearer, body: { name, url, events: ['device.added'] } });
  return async () => (await send(`${server.url}${WEBHOOKS}/${id}/test`, { bearer, body: {} })).status;
}

test('HKS-01-partial tests of one organization that no receiver answers leave places for those of others', async () => {
  const [testSilent, testOther] = [await openWebhook('Silent', silent), await openWebhook('Other', receiver)];
  const held: ServerResponse[] = [];
  silent.respond((response) => held.push(response));
  const statuses: number[] = [];
  const sent = Array.from({ length: 8 }, () => testSilent().then((status) => statuses.push(status)));
  // Two run and two wait: the others are rejected until later, since their own tests are the reason.
  await expect.poll(() => statuses).toEqual([429, 429, 429, 429]);
  await expect.poll(() => held).toHaveLength(2);
  expect(await testOther()).toBe(200);
  expect(held).toHaveLength(2);
  silent.respond((response) => response.writeHead(204).end());
  for (const response of held) response.writeHead(204).end();
  await Promise.all(sent);
  // Those that waited begin then, unless that took longer than they wait.
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(2);
});

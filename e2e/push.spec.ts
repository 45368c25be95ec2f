import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createPushBrowser } from '@highline/testkit/push-browser';
import type { Page, Worker } from '@playwright/test';
import { enter, expect, test } from './fixtures.ts';

/** The push service of a browser, which Chromium has none of without a screen: it keeps what it gets. */
async function startPushService() {
  const messages: Buffer[] = [];
  const server = createServer((request, response) => {
    request.toArray().then(
      (parts: Buffer[]) => {
        messages.push(Buffer.concat(parts));
        return response.writeHead(201).end();
      },
      () => response.destroy(),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    messages,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/push`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Hand a message over to the service worker of a page, as the browser does once it has decrypted it. */
async function openDelivery(page: Page): Promise<(data: string) => Promise<void>> {
  const devtools = await page.context().newCDPSession(page);
  const registered = new Promise<string>((resolve) => {
    devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [found] = registrations.filter(({ isDeleted }) => !isDeleted);
      if (found !== undefined) resolve(found.registrationId);
    });
  });
  await devtools.send('ServiceWorker.enable');
  const registrationId = await registered;
  const { origin } = new URL(page.url());
  return async (data) => {
    await devtools.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data });
  };
}

/** What the test uses of a service worker. */
interface WorkerScope extends EventTarget {
  shown: { readonly title: string; readonly body: string; readonly tag: string; readonly data: { readonly url: string } }[];
  readonly ServiceWorkerRegistration: { readonly prototype: { showNotification: unknown } };
}

/**
 * Keep what the service worker shows: Chromium without a screen has no notifications of its own. A later one replaces that with the same tag, as
 * browsers do.
 */
async function keepShown(worker: Worker): Promise<() => Promise<WorkerScope['shown']>> {
  await worker.evaluate(() => {
    const scope = globalThis as unknown as WorkerScope;
    scope.shown = [];
    scope.ServiceWorkerRegistration.prototype.showNotification = async (
      title: string,
      { body, tag, data }: Omit<WorkerScope['shown'][number], 'title'>,
    ) => {
      scope.shown = [...scope.shown.filter((each) => tag === '' || each.tag !== tag), { title, body, tag, data }];
    };
  });
  return () => worker.evaluate(() => (globalThis as unknown as WorkerScope).shown);
}

test('SAY-05-partial an alert reaches the service worker as it left the server, and is shown with its text and the address of the alerts of the vehicle', async ({
  page,
  tenant,
  request,
}) => {
  const [router] = await tenant.routers(1);
  const service = await startPushService();
  const browser = createPushBrowser();
  const post = async (path: string, data: object) => {
    const headers = { authorization: `Bearer ${tenant.users.admin.bearer}` };
    expect((await request.post(`${tenant.server.url}/data_manager/v1${path}`, { headers, data })).status()).toBe(200);
  };
  await enter(page, tenant.users.admin, '/alerts/people');
  const deliver = await openDelivery(page);
  await expect.poll(() => page.context().serviceWorkers().length).toBe(1);
  const [worker] = page.context().serviceWorkers();
  const shown = await keepShown(worker!);
  await post('/alerts/people/push', { endpoint: service.url, ...browser.keys, language: 'en-US', zone: 'America/Chicago' });
  await tenant.owner.query(
    "update devices set presence = 'offline', presence_since = now() - interval '1 hour', presence_reason = 'no-answer', vehicle_number = 'Bus 7' where serial = $1",
    [router!.serial],
  );
  await post('/alerts/rules', {
    name: 'Vehicle lost',
    enabled: true,
    severity: 'critical',
    condition: { kind: 'offline' },
    forSeconds: 60,
    scope: { kind: 'all' },
    hours: null,
    channels: { mails: [], webhooks: [], escalation: null, quiet: null },
  });
  await expect.poll(() => service.messages.length).toBe(1);
  const received = browser.read(service.messages[0]!) as { readonly tag: string; readonly url: string };
  await deliver(JSON.stringify(received));
  const alert = { title: 'Critical: Vehicle lost', body: expect.stringContaining('Bus 7'), tag: received.tag };
  await expect.poll(() => shown()).toEqual([{ ...alert, data: { url: received.url } }]);

  await service.close();
});

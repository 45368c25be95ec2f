import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createSecretSealing, createWebhook } from '../domains/webhooks/index.ts';
import type { Actor, OrganizationScope } from '../kernel/index.ts';
import { createWebCaller } from '../platform/adapters/web-caller/web-caller.ts';
import type { OpenedDatabase } from '../platform/adapters/postgres/connect.ts';
import type { Clock, Database, Log } from '../platform/ports/index.ts';
import type { Settings } from '../platform/settings/settings.ts';

const LOOPBACK = '127.0.0.1';
/** Marks the webhook of the demo, whose address is that of the receiver of each start. */
const PATH = '/demo-receiver';

/** The settings of the demo: its webhook may be sent to this machine, which production rejects (HKS-01). */
export function allowReceiver(webhooks: Settings['webhooks']): Settings['webhooks'] {
  return { ...webhooks, allowedNetworks: [...webhooks.allowedNetworks, LOOPBACK] };
}

/** Add the webhook of the demo: it gets the alerts of the rules that name it, and what becomes of them. @returns its id */
export async function seedWebhook(
  deps: { readonly database: Database; readonly clock: Clock; readonly masterKey: Settings['masterKey'] },
  scope: OrganizationScope,
  actor: Actor,
): Promise<string> {
  const caller = createWebCaller({ allowsHttp: true, allowedNetworks: [LOOPBACK] });
  const webhookSealing = createSecretSealing(deps.masterKey);
  const { id } = await createWebhook({ ...deps, caller, webhookSealing, wakeWebhooks: () => {} }, scope, actor, {
    name: 'Dispatch display',
    // Of no one until the receiver has started.
    url: `http://${LOOPBACK}:1024${PATH}`,
    events: ['alert.acknowledged', 'alert.resolved', 'rollout.started', 'rollout.paused', 'rollout.ended'],
  });
  return id;
}

export interface DemoReceiver {
  readonly port: number;
  stop(): Promise<void>;
}

/** Start what a customer would run: a receiver of webhooks on a free port of loopback, and point the demo's webhook at it. */
export async function startReceiver(opened: OpenedDatabase, log: Log): Promise<DemoReceiver> {
  const server = createServer((request, response) => {
    accept(request, response).catch((error: unknown) => {
      log.debug({ err: error }, 'A call of the demo receiver was cut off.');
      response.destroy();
    });
  });
  server.listen(0, LOOPBACK);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await opened.withOwner((client) =>
    client.query('update webhook_endpoints set url = $1 where url like $2', [
      `http://${LOOPBACK}:${port}${PATH}`,
      `http://${LOOPBACK}:%${PATH}`,
    ]),
  );
  return {
    port,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Confirms an event by its id; what it says is in the log of the webhook. */
async function accept(request: IncomingMessage, response: ServerResponse): Promise<void> {
  for await (const _ of request);
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ received: request.headers['webhook-id'] ?? null }));
}

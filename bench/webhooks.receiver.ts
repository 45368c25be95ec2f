// A separate process: a receiver of webhooks that confirms everything.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { runQuestions } from './child.ts';

let ids: string[] = [];
const server = createServer((request, response) => {
  ids.push(String(request.headers['webhook-id']));
  request.resume().on('end', () => response.writeHead(204).end());
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');

const responses = {
  url: () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  /** Number of calls, and of distinct events. */
  received: () => ({ all: ids.length, different: new Set(ids).size }),
  ids: () => ids,
  reset() {
    ids = [];
  },
};
export type WebhookReceiverResponses = typeof responses;

runQuestions(responses);

import { once } from 'node:events';
import { type AddressInfo, type Server, connect, createServer } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { createBareRouter, valuesOf } from '../testing/view.ts';
import { Waiting } from '../testing/waiting.ts';
import { PortForwards } from './port-forwards.ts';

const MAPPING = 'Device.NAT.PortMapping.1.';
const HERE = '127.0.0.1';
const servers: Server[] = [];
let forwards: PortForwards | undefined;

afterEach(() => {
  forwards?.stop();
  for (const server of servers.splice(0)) server.close();
});

/** A program of this machine that has a port. */
async function listen(port = 0): Promise<{ server: Server; port: number }> {
  const server = createServer().listen(port, HERE);
  servers.push(server);
  await once(server, 'listening');
  return { server, port: (server.address() as AddressInfo).port };
}

/** A router that is to forward a port. */
function setUp(port: number) {
  const router = createBareRouter();
  const waiting = new Waiting();
  const failures: unknown[] = [];
  const logged = (_level: string, _event: string, fields?: object) => {
    failures.push(fields);
    waiting.resume();
  };
  const { scheduler, view } = router;
  const created = new PortForwards({ router: view, address: HERE, scheduler, log: logged });
  forwards = created;
  view.forwards = (...each) => created.listens(...each);
  const row = { Enable: 'true', ExternalPort: String(port), InternalClient: '192.168.1.10', InternalPort: '80' };
  router.rowStore.save({ [MAPPING]: row }, {});
  created.follow();
  const status = () => {
    const response = router.request({ type: 'get', paramPaths: [`${MAPPING}Status`], maxDepth: 0 });
    return valuesOf(response)[`${MAPPING}Status`];
  };
  const failed = async (times: number) => waiting.until(() => failures.length >= times);
  return { router, forwards: created, status, failed };
}

/** Resolves when something listens on the port. */
async function reach(port: number): Promise<void> {
  const socket = connect(port, HERE);
  await once(socket, 'connect');
  socket.destroy();
}

it('TPL-01-partial a forwarded port that another program has is an error, and works soon after that one leaves it', async () => {
  const { server, port } = await listen();
  const { router, status, failed } = setUp(port);
  await failed(1);
  expect(status()).toBe('Error');
  router.scheduler.advance(5_000);
  await failed(2);
  await new Promise((resolve) => server.close(resolve));
  router.scheduler.advance(10_000);
  await reach(port);
  expect(status()).toBe('Enabled');
});

it('TPL-01-partial one that is no longer forwarded is not tried again', async () => {
  const { server, port } = await listen();
  const { router, forwards: mine, failed } = setUp(port);
  await failed(1);
  router.rowStore.save({}, {});
  mine.follow();
  await new Promise((resolve) => server.close(resolve));
  router.scheduler.advance(600_000);
  // The port is free for others.
  expect((await listen(port)).port).toBe(port);
});

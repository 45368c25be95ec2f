import { once } from 'node:events';
import { request, type IncomingHttpHeaders, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { connect as connectTcp } from 'node:net';
import { startAgent, type AgentStartOptions, type RouterHandle } from '@highline/router';
import { makeMac } from '@highline/usp';
import ssh from 'ssh2';
import { send, until } from './call.ts';
import type { RemoteRouterOptions } from './remote-router.ts';
import { startTestServer, type TestServerOptions } from './server.ts';

/** A device whose router is online. */
export interface ReachableDevice {
  readonly id: string;
  readonly serial: string;
}

/** The result of Connect for a user. */
export interface Way {
  readonly url: string;
  readonly port: number;
  readonly username: string;
  readonly password: string;
}

export type FixtureCall = 'connectDevice' | 'openTerminal' | 'getOneTimeSecret' | 'resetGuiPassword';

export type RemoteFixture = Awaited<ReturnType<typeof openRemoteFixture>>;

interface Subscribed {
  /** MM/DD/YYYY */
  readonly expired?: string;
}

let made = 0;

/** A whole server with one organization, its admin, and routers: real agents and scripted ones. */
export async function openRemoteFixture(options: TestServerOptions = {}) {
  const server = await startTestServer(options);
  const { scope: main } = await server.seeding.mainAccount('Remote');
  const scope = await server.seeding.organization(main, 'Remote');
  const person = (role: 'admin' | 'user' = 'admin') => server.seeding.person(scope, role);
  const admin = await person();
  const agents = new Set<RouterHandle>();

  const claim = async (more: Subscribed) => {
    const n = made++;
    const [router] = await server.seeding.routers(main, [{ serial: `RMT${1000 + n}`, mac: makeMac(0xeee000 + n) }]);
    const [id] = await server.seeding.devices(scope, [{ serial: router!.serial, mac: router!.mac, ...more }]);
    return { id: id!, router: router! };
  };
  const isOnline = async (id: string): Promise<boolean> => {
    const row = await server.database.read.selectFrom('devices').select('presence').where('id', '=', id).executeTakeFirst();
    return row?.presence === 'online';
  };
  const post = (path: string, body: object, bearer = admin.bearer) =>
    send(`${server.url}/data_manager/v1/dm/${path}`, { bearer, body: { org: scope.organizationId, ...body } });

  const call = (name: FixtureCall, { serial }: Pick<ReachableDevice, 'serial'>, type = 'ssh', as?: string) =>
    post(`cmds/${name}`, { serial, type }, as);
  /** Why sessions of a device ended, newest first; 'open' for a running one. */
  const endsOf = async ({ id }: Pick<ReachableDevice, 'id'>) => {
    const { read } = server.database;
    const rows = await read
      .selectFrom('remote_sessions')
      .select('end_reason')
      .where('device_id', '=', id)
      .orderBy('id', 'desc')
      .execute();
    return rows.map(({ end_reason: reason }) => reason ?? 'open');
  };

  return {
    server,
    main,
    scope,
    /** Bearer of the organization's admin. */
    bearer: admin.bearer,
    adminId: admin.id,
    /** Another user of the organization who may connect. */
    another: person,
    /** A device with our own router agent. */
    async device({ platform, ...more }: Subscribed & Pick<AgentStartOptions, 'platform'> = {}) {
      const { id, router } = await claim(more);
      const { serial, mac, secret } = router;
      const agent = startAgent({
        server: server.url.replace('http', 'ws'),
        router: { serial, mac, secret, model: 'HL-R320' },
        ...(platform && { platform }),
      });
      agents.add(agent);
      await until(() => isOnline(id));
      return { id, serial, agent };
    },
    /** A device with a scripted router. */
    async scripted(more: Partial<RemoteRouterOptions> = {}, subscribed: Subscribed = {}) {
      const { id, router } = await claim(subscribed);
      return { id, serial: router.serial, routerId: router.id, router: await server.connectRouter({ ...router, ...more }) };
    },
    call,
    post,
    /** Cancel Connection. */
    cancel: ({ id: device }: Pick<ReachableDevice, 'id'>, as?: string) => post('device/arctive', { device }, as),
    /** Connect, and return the credentials. */
    async open(device: ReachableDevice, type = 'ssh'): Promise<Way> {
      const opened = await call('connectDevice', device, type);
      if (opened.status !== 200) throw new Error(opened.text);
      const issued = await call('getOneTimeSecret', device, type);
      if (issued.status !== 200) throw new Error(issued.text);
      return {
        ...opened.json<{ url: string; port: number }>(),
        ...issued.json<{ content: { username: string; password: string } }>().content,
      };
    },
    endsOf,
    /** Resolves when a device's newest session has ended. @returns why */
    ended: (device: Pick<ReachableDevice, 'id'>) => until(async () => (await endsOf(device)).find((reason) => reason !== 'open')),
    async close() {
      await Promise.all(Array.from(agents, (agent) => agent.stop()));
      await server.close();
    },
  };
}

/** Sign in by SSH. Rejects when it fails. */
export async function signInBySsh({ url: host, port, username, password }: Way): Promise<ssh.Client> {
  const client = new ssh.Client();
  client.connect({ host, port, username, password });
  await once(client, 'ready');
  client.on('error', () => {});
  return client;
}

/** Run a command and return its output. */
export async function runBySsh(client: ssh.Client, line: string): Promise<string> {
  const channel = await new Promise<ssh.ClientChannel>((resolve, reject) => {
    client.exec(line, (error, opened) => (error === undefined ? resolve(opened) : reject(error)));
  });
  let output = '';
  channel.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await once(channel, 'close');
  return output;
}

/** Whether nothing listens on a port of loopback. */
export function isPortClosed(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connectTcp(port, '127.0.0.1');
    const finish = (isClosed: boolean) => () => {
      socket.destroy();
      resolve(isClosed);
    };
    socket.once('connect', finish(false));
    socket.once('error', finish(true));
  });
}

export interface NamedResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export interface NamedRequest {
  readonly method?: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string;
}

/** Send a request like a browser that resolves every name under `localhost` to this machine. */
export async function requestByName(
  url: string,
  headers: OutgoingHttpHeaders = {},
  { method = 'GET', body }: Omit<NamedRequest, 'headers'> = {},
): Promise<NamedResponse> {
  const { host, port, pathname, search } = new URL(url);
  const path = pathname + search;
  const outgoing = request({ host: '127.0.0.1', port, path, method, headers: { host, ...headers }, agent: false });
  outgoing.end(body);
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  let text = '';
  for await (const chunk of response) text += String(chunk);
  return { status: response.statusCode!, headers: response.headers, text };
}

import { connect, type Socket } from 'node:net';
import { send, until } from '@highline/testkit/calls';
import { RemoteRouter, type RemoteRouterOptions } from '@highline/testkit/scripted-router';
import type { Tenant } from '@highline/testkit/tenants';
import * as fc from 'fast-check';
import { checkResponse } from './api.ts';
import { draw, runCases, type CaseNumbers } from './cases.ts';
import { hostileHeader } from './hostile.ts';
import type { Report } from './report.ts';
import { createStage } from './stage.ts';
import type { Subject } from './subject.ts';
import { anyService, type Service } from './tunnel-services.ts';
import { visitPage, VISIT_MS, type Page } from './tunnel-visits.ts';

const WORKERS = 4;

/** Cases per web page; then another one is opened. */
const CASES_OF_PAGE = 300;
/** Pages kept open; a page accepts no new visitor from five minutes after its credentials were given. */
const MOST_PAGES = 20;

type Behaviour = Required<Pick<RemoteRouterOptions, 'greeting' | 'service'>>;

/**
 * Connections to /tunnel that do not speak SSH, visits to web pages of routers that do not speak HTTP, and invalid host names.
 */
export async function fuzzTunnel(subject: Subject, report: Report, numbers: CaseNumbers): Promise<void> {
  const { seed } = report.options;
  const stage = await createStage(subject);
  let connections = 0;
  const behaviour: Behaviour = {
    // Half of the connections get data before any request.
    greeting: () => (++connections % 2 === 0 ? draw(anyService, seed ^ 1, connections).bytes : undefined),
    service: (socket) => misbehave(socket, draw(anyService, seed ^ 1, connections)),
  };
  const pages = new Pages(async () => {
    report.count('web pages opened');
    return openPage(subject, await stage.tenant(), behaviour);
  });
  try {
    await runCases(numbers, WORKERS, async (index) => {
      if (index % 4 === 3) await attempt(subject, report, index);
      else await visitPage(subject, report, await pages.take(index), index);
      report.cases++;
    });
  } finally {
    await pages.close();
  }
}

/** Open web pages: a new one, and older ones, which accept only earlier visitors. */
class Pages {
  readonly #open: () => Promise<Page>;
  #pages: Page[] = [];
  #turn: Promise<unknown> = Promise.resolve();

  constructor(open: () => Promise<Page>) {
    this.#open = open;
  }

  /** Every fifth case visits the oldest page. Calls are serialized, so that two do not open pages at once. */
  take(index: number): Promise<Page> {
    const taken = this.#turn.then(() => this.#take(index));
    this.#turn = taken.catch(() => undefined);
    return taken;
  }

  async close(): Promise<void> {
    await Promise.all(this.#pages.map(({ router }) => router.stop()));
  }

  async #take(index: number): Promise<Page> {
    const newest = this.#pages.at(-1);
    const oldest = this.#pages[0];
    if (newest === undefined || ++newest.used > CASES_OF_PAGE || !newest.router.hasTunnel) return this.#add();
    return index % 5 === 0 && oldest !== undefined ? oldest : newest;
  }

  async #add(): Promise<Page> {
    const page = await this.#open();
    this.#pages.push(page);
    if (this.#pages.length > MOST_PAGES) await this.#pages.shift()!.router.stop();
    return page;
  }
}

/** A router that is online, with its web page open. */
async function openPage(subject: Subject, { organizationId: org }: Tenant, behaviour: Behaviour): Promise<Page> {
  const tag = Math.floor(performance.now() * 1_000)
    .toString(16)
    .toUpperCase()
    .slice(-8)
    .padStart(8, '0');
  const main = await subject.database.read
    .selectFrom('organizations')
    .select('main_account_id')
    .where('id', '=', org)
    .executeTakeFirstOrThrow();
  const [router] = await subject.seeding.routers({ kind: 'main', mainAccountId: main.main_account_id }, [
    { serial: `PAGE${tag}`, mac: `02F0${tag}` },
  ]);
  const scope = { kind: 'organization', mainAccountId: main.main_account_id, organizationId: org } as const;
  await subject.seeding.devices(scope, [{ serial: router!.serial, mac: router!.mac }]);
  const adminId = await subject.seeding.account(scope, `page-${tag.toLowerCase()}@highline.invalid`, 'admin');
  const bearer = await subject.seeding.bearer(adminId);
  const agent = new RemoteRouter({ url: subject.url, secret: router!.secret, endpointId: router!.endpointId, ...behaviour });
  const body = { org, serial: router!.serial, type: 'gui' };
  const call = (name: string) => send(`${subject.url}/data_manager/v1/dm/cmds/${name}`, { bearer, body });
  const opened = await until(async () => {
    const response = await call('connectDevice');
    return response.status === 200 ? response.json<{ url: string }>() : subject.isRunning ? undefined : { url: 'http://gone' };
  });
  await call('getOneTimeSecret');
  return { host: new URL(opened.url.includes('//') ? opened.url : `http://${opened.url}`).host, router: agent, used: 0 };
}

function misbehave(socket: Socket, { when, bytes, times, end }: Service): void {
  socket.on('error', () => undefined);
  const respond = () => {
    for (let time = 0; time < times; time += 1) socket.write(bytes);
    if (end === 'end') socket.end();
    else if (end === 'destroy') socket.destroySoon();
  };
  if (when === 'at once') respond();
  else if (when === 'on request') socket.once('data', respond);
  socket.resume();
}

const chatter = fc.array(
  fc.oneof(
    fc
      .constantFrom('SSH-2.0-OpenSSH_9.9\r\n', 'SSH-1.5-x\r\n', 'SSH-2.0-', '\r\n\r\n', `SSH-2.0-${'x'.repeat(70_000)}`)
      .map((text) => Buffer.from(text)),
    fc.uint8Array({ maxLength: 2_000 }).map((bytes) => Buffer.from(bytes)),
    fc.nat(0xff_ff_ff_ff).map((length) => packet(length)),
  ),
  { maxLength: 6 },
);

/** An SSH packet with a wrong length. */
function packet(length: number): Buffer {
  const bytes = Buffer.alloc(16, 20);
  bytes.writeUInt32BE(length);
  return bytes;
}

/** Upgrade to /tunnel and send data that is not SSH, in WebSocket frames or without. */
async function attempt({ port }: Subject, report: Report, index: number): Promise<void> {
  const { seed } = report.options;
  const isFramed = draw(fc.boolean(), seed ^ 8, index);
  const texts = draw(chatter, seed ^ 9, index);
  const path = draw(fc.constantFrom('/tunnel', '/tunnel?x', '/tunnel/', '/usp/x', '/usp/%zz'), seed ^ 10, index);
  const protocol = draw(fc.oneof(fc.constantFrom('ssh', 'ssh', 'ssh, v1.usp', 'v1.usp', ''), hostileHeader), seed ^ 11, index);
  const began = performance.now();
  const status = await new Promise<string>((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    let head = '';
    const timer = setTimeout(() => socket.destroy(), VISIT_MS);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(/^HTTP\/1\.1 (\d{3})/u.exec(head)?.[1] ?? 'none');
    });
    socket.once('data', (chunk: Buffer) => {
      head = chunk.toString('latin1');
      for (const text of texts) socket.write(isFramed ? frame(text) : text);
      socket.end();
    });
    socket.write(
      Buffer.from(
        `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nconnection: Upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\nsec-websocket-protocol: ${protocol}\r\n\r\n`,
        'latin1',
      ),
    );
  });
  const head = status === '503' ? 'retry-after: 5' : '';
  checkResponse(
    report,
    { status: status === 'none' ? undefined : Number(status), head, text: '', ms: performance.now() - began },
    `upgrade to ${path}`,
    index,
  );
}

/** A masked binary WebSocket frame. */
function frame(payload: Buffer): Buffer {
  const isLong = payload.length > 65_535;
  const head = Buffer.alloc(isLong ? 14 : 8);
  head[0] = 0x82;
  head[1] = 0x80 | (isLong ? 127 : 126);
  if (isLong) head.writeBigUInt64BE(BigInt(payload.length), 2);
  else head.writeUInt16BE(payload.length, 2);
  // The mask is four zeros: the payload stays as it is.
  return Buffer.concat([head, payload]);
}

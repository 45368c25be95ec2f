import { setTimeout as pause } from 'node:timers/promises';
import { decodeMessage, decodeRecord, isRequest, makeMac } from '@highline/usp';
import type * as fc from 'fast-check';
import { WebSocket } from 'ws';
import { draw, type CaseNumbers } from './cases.ts';
import type { Report } from './report.ts';
import type { Subject } from './subject.ts';
import { anyResponse, framesOf, introduction, recordOf, type Frame } from './usp-frames.ts';

/** Below what the server reads of one connection in a second (usp/settings.ts), including answers to its own requests. */
const FRAMES_OF_BURST = 80;
const SECOND_MS = 1_000;
/** Time limit of the server to read a burst. */
const BURST_MS = 60_000;
/** A router may connect 20 times in a row and regains one attempt in two seconds. */
const RECONNECT_MS = 2_100;

interface Identity {
  readonly secret: string;
  readonly endpointId: string;
  readonly frames: fc.Arbitrary<Frame>;
  freeAt: number;
}

/** Concurrent connections, and routers behind them, since a misbehaving one must wait before it may reconnect. */
export interface UspScale {
  readonly connections: number;
  readonly routers: number;
}

/** Routers with valid secrets send frames that are valid, odd, broken or empty, and answer the server's requests likewise. */
export async function fuzzUsp(subject: Subject, report: Report, numbers: CaseNumbers, scale: UspScale): Promise<void> {
  const identities = await enroll(subject, scale.routers);
  const work = async () => {
    while (subject.isRunning) {
      const identity = takeIdentity(identities);
      const isOver = await new Connection(subject, report, numbers, identity).run();
      identity.freeAt = performance.now() + RECONNECT_MS;
      identities.push(identity);
      if (isOver) return;
    }
  };
  await Promise.all(Array.from({ length: scale.connections }, work));
}

async function enroll({ seeding }: Subject, count: number): Promise<Identity[]> {
  const { scope: main } = await seeding.mainAccount('Fuzz');
  const organization = await seeding.organization(main, 'Fuzz');
  const routers = Array.from({ length: count }, (_, index) => ({ serial: `FUZZ${index}`, mac: makeMac(0xf0_00_00 + index) }));
  const identities: Identity[] = [];
  for (let at = 0; at < count; at += 100) {
    const some = await seeding.routers(main, routers.slice(at, at + 100));
    await seeding.devices(
      organization,
      some.map(({ serial, mac }) => ({ serial, mac })),
    );
    for (const { secret, endpointId } of some) identities.push({ secret, endpointId, frames: framesOf(endpointId), freeAt: 0 });
  }
  return identities;
}

/** The one that has waited longest. */
function takeIdentity(identities: Identity[]): Identity {
  return identities.shift()!;
}

/** One connection of one router, until the server ends it or the run is over. */
class Connection {
  readonly #subject: Subject;
  readonly #report: Report;
  readonly #numbers: CaseNumbers;
  readonly #identity: Identity;
  readonly #socket: WebSocket;
  readonly #isClosed: Promise<void>;
  #responses = 0;
  #lastCase = 0;

  constructor(subject: Subject, report: Report, numbers: CaseNumbers, identity: Identity) {
    this.#subject = subject;
    this.#report = report;
    this.#numbers = numbers;
    this.#identity = identity;
    const address = `ws://127.0.0.1:${subject.port}/usp/${identity.secret}?eid=${encodeURIComponent(identity.endpointId)}`;
    this.#socket = new WebSocket(address, ['v1.usp'], { perMessageDeflate: false });
    this.#socket.on('error', () => undefined);
    this.#socket.on('unexpected-response', (_request, response) => {
      const { statusCode = 0 } = response;
      report.responded(statusCode, 0, 'handshake');
      const isBackPressure = statusCode === 503 && response.headers['retry-after'] !== undefined;
      if (statusCode >= 500 && !isBackPressure) report.find('server fault', `handshake → ${statusCode}`, this.#lastCase);
      this.#socket.terminate();
    });
    this.#socket.on('message', (data) => this.#receive(data as Buffer));
    this.#isClosed = new Promise((resolve) => {
      this.#socket.on('close', (code) => {
        report.responded(`ws ${code}`, 0, 'close');
        resolve();
      });
    });
  }

  /** @returns whether the run is over */
  async run(): Promise<boolean> {
    await pause(Math.max(0, this.#identity.freeAt - performance.now()));
    const isOpen = await Promise.race([
      new Promise<boolean>((resolve) => this.#socket.once('open', () => resolve(true))),
      this.#isClosed.then(() => false),
    ]);
    if (!isOpen) return false;
    this.#report.count('connections');
    this.#socket.send(introduction(this.#identity.endpointId));
    while (this.#socket.readyState === WebSocket.OPEN) {
      const began = performance.now();
      const frames = this.#drawBurst();
      if (frames.length === 0) {
        this.#socket.close();
        await this.#isClosed;
        return true;
      }
      for (const frame of frames) this.#send(frame);
      await this.#confirm(frames, began);
      if (this.#socket.readyState === WebSocket.OPEN) await pause(Math.max(0, SECOND_MS - (performance.now() - began)));
    }
    await this.#isClosed;
    return false;
  }

  /** A burst ends with the first frame that may end the connection: later frames would not be read. */
  #drawBurst(): Frame[] {
    const frames: Frame[] = [];
    while (frames.length < FRAMES_OF_BURST) {
      const index = this.#numbers.take();
      if (index === undefined) break;
      this.#lastCase = index;
      const frame = draw(this.#identity.frames, this.#report.options.seed, index);
      frames.push(frame);
      if (frame.isFatal) break;
    }
    return frames;
  }

  #send({ bytes, isText, pieces }: Frame): void {
    if (this.#socket.readyState !== WebSocket.OPEN) return;
    const step = Math.ceil(bytes.length / pieces) || 1;
    for (let at = 0; at === 0 || at < bytes.length; at += step)
      this.#socket.send(bytes.subarray(at, at + step), { binary: !isText, fin: at + step >= bytes.length });
    this.#report.count('bytes', bytes.length);
  }

  /** A pong shows that everything before its ping was read; so does the end of a connection that had to end. */
  async #confirm(frames: readonly Frame[], began: number): Promise<void> {
    const confirmed = Promise.race([
      new Promise<string>((resolve) => this.#socket.once('pong', () => resolve('read'))),
      this.#isClosed.then(() => 'closed'),
      pause(BURST_MS, 'unread', { ref: false }),
    ]);
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.ping();
    const how = await confirmed;
    const ms = performance.now() - began;
    this.#report.responded(how, ms, `burst up to frame ${this.#lastCase}`);
    const isRead = how === 'read' || (how === 'closed' && frames.at(-1)?.isFatal === true);
    if (isRead) this.#report.cases += frames.length;
    else this.#report.count(how === 'unread' ? 'frames not read in time' : 'frames cut off', frames.length);
    if (ms > this.#report.options.slowCallMs)
      this.#report.find(
        'slow call',
        `a burst of ${FRAMES_OF_BURST} frames was read after more than ${this.#report.options.slowCallMs} ms`,
        this.#lastCase,
      );
  }

  /** Answer a request of the server as a hostile router would. */
  #receive(data: Buffer): void {
    const { payload } = decodeRecord(data);
    if (payload.type !== 'no_session_context') return;
    const { msgId, body } = decodeMessage(payload.payload);
    if (!isRequest(body)) return;
    this.#responses++;
    const response = draw(anyResponse(body.type), this.#report.options.seed ^ 0x5a_5a, this.#lastCase * 100 + this.#responses);
    this.#report.count("answers to the server's requests");
    if (this.#socket.readyState === WebSocket.OPEN && this.#subject.isRunning)
      this.#socket.send(recordOf(this.#identity.endpointId, { msgId, body: response }));
  }
}

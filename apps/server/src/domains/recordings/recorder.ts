import { StringDecoder } from 'node:string_decoder';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { recordings } from '@highline/contract';
import { guard, type OrganizationScope } from '../../kernel/index.ts';
import { announce } from '../../platform/outbox/announce.ts';
import type { Tx } from '../../platform/ports/database.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import type { RecordingStop, TerminalRecording } from '../../platform/ports/tunnels.ts';
import { firstHash, hashChunk } from './chain.ts';
import { endRecording } from './recordings.audit.ts';
import { insertChunk, insertRecording, type NewChunk, type RecordedTerminal } from './recordings.store.ts';

const compress = promisify(gzip);
/** Speed over size: most of what a terminal shows compresses well at any level. */
const FAST = { level: 1 };
/** What was shown is stored within this time, milliseconds, or after so many characters. */
const STORE_MS = 1_000;
const STORE_SIZE = 256 * 1024;
/** Characters that may wait for the database; then the router waits. */
const MOST_WAITING = 1024 * 1024;

/** A recording that is being written. */
export interface Recorder extends TerminalRecording {
  /** Store the rest, and end the recording. Again, it changes nothing. */
  finish(reason: recordings.RecordingEnd): Promise<void>;
}

type RecorderDeps = Pick<Deps, 'database' | 'clock' | 'log'>;

export interface Recorders {
  /** Begin the recording of a terminal in the transaction that admits it: without the one there is not the other. */
  begin(tx: Tx, scope: OrganizationScope, terminal: RecordedTerminal): Promise<Recorder>;
  /** End all recordings of this process, because it stops. */
  stop(): Promise<void>;
}

/** The recordings that this process writes (LIV-07). */
export function createRecorders(deps: RecorderDeps): Recorders {
  const open = new Set<Recorder>();
  return {
    async begin(tx, scope, terminal) {
      const now = deps.clock.now();
      await insertRecording(tx, scope, terminal, firstHash(terminal.id), now);
      await announce(tx, scope, 'recordings', [terminal.id]);
      const recorder = startRecorder(deps, scope, terminal, now, () => open.delete(recorder));
      open.add(recorder);
      return recorder;
    },
    async stop() {
      await Promise.all(Array.from(open, (recorder) => recorder.finish('server-stopped')));
    },
  };
}

/** Write what a router shows as lines of asciicast 2, in compressed chunks of whole lines. What is typed is not in it. */
function startRecorder(
  { database, clock, log }: RecorderDeps,
  scope: OrganizationScope,
  { id, serial, email }: RecordedTerminal,
  begunAt: Date,
  ended: () => void,
): Recorder {
  const begun = performance.now();
  // A character may be split between two packets of the router.
  const decoder = new StringDecoder('utf8');
  const header = { version: 2, width: 80, height: 24, timestamp: Math.floor(begunAt.getTime() / 1_000) };
  let waiting = `${JSON.stringify({ ...header, title: `${serial} · ${email}`, env: { TERM: 'xterm-256color' } })}\n`;
  let stored = 0;
  let seq = 0;
  let hash = firstHash(id);
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> | undefined;
  let over: Promise<void> | undefined;
  let hasFailed = false;
  let stopped: (reason: RecordingStop) => void = () => {};
  let caughtUp: () => void = () => {};

  const add = (kind: 'o' | 'r' | 'm', text: string): void => {
    const seconds = Math.round(performance.now() - begun) / 1_000;
    waiting += `${JSON.stringify([seconds, kind, text])}\n`;
  };
  const nextChunk = async (): Promise<NewChunk> => {
    const lines = Buffer.from(waiting);
    waiting = '';
    const contents = await compress(lines, FAST);
    return { seq, contents, bytes: lines.length, hash: hashChunk(hash, contents) };
  };
  const insert = async (tx: Tx, chunk: NewChunk): Promise<void> => {
    if (!(await insertChunk(tx, scope, id, chunk))) throw new Error('The recording was ended elsewhere.');
  };
  const store = async (): Promise<void> => {
    const chunk = await nextChunk();
    await database.write((tx) => insert(tx, chunk));
    seq += 1;
    stored += chunk.bytes;
    hash = chunk.hash;
  };
  const fail = (error: unknown): void => {
    hasFailed = true;
    log.error({ err: error, recording: id }, 'Failed to store what a terminal shows; it ends.');
    stopped('recording-failed');
  };
  const write = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (writing !== undefined || over !== undefined || hasFailed) return;
    writing = store()
      .catch(fail)
      .then(() => {
        writing = undefined;
        if (waiting !== '') schedule();
        caughtUp();
      });
  };
  const schedule = (): void => {
    if (waiting.length >= STORE_SIZE) write();
    else
      timer ??= setTimeout(
        guard(log, () => {}, write),
        STORE_MS,
      );
  };
  const receive = (kind: 'o' | 'r', text: string): void => {
    if (over !== undefined || hasFailed || text === '') return;
    add(kind, text);
    schedule();
    if (stored + waiting.length > recordings.MAX_RECORDING_BYTES) stopped('recording-full');
  };

  const end = async (reason: recordings.RecordingEnd): Promise<void> => {
    clearTimeout(timer);
    await writing;
    if (!hasFailed) add('m', reason);
    const last = hasFailed ? undefined : await nextChunk();
    await database.write(async (tx) => {
      if (last !== undefined) await insert(tx, last);
      await endRecording(tx, scope, id, reason, clock.now());
    });
  };

  return {
    output: (bytes) => receive('o', decoder.write(bytes)),
    resize: (cols, rows) => receive('r', `${cols}x${rows}`),
    get isBehind() {
      return waiting.length > MOST_WAITING;
    },
    onCaughtUp: (listener) => void (caughtUp = listener),
    onStopped: (listener) => void (stopped = listener),
    finish(reason) {
      over ??= end(reason)
        .catch((error: unknown) => {
          // A job ends it as interrupted, with what was stored.
          log.warn({ err: error, recording: id }, 'Failed to end the recording of a terminal; it will be ended later.');
        })
        .finally(ended);
      return over;
    },
  };
}

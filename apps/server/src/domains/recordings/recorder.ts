import { recordings } from '@highline/contract';
import { guard, type OrganizationScope } from '../../kernel/index.ts';
import { announce } from '../../platform/outbox/announce.ts';
import type { Tx } from '../../platform/ports/database.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import type { RecordingStop, TerminalRecording } from '../../platform/ports/tunnels.ts';
import { firstHash, hashChunk } from './chain.ts';
import { NextChunk } from './chunk.ts';
import { endRecording } from './recordings.audit.ts';
import { insertChunk, insertRecording, type NewChunk, type RecordedTerminal } from './recordings.store.ts';

/** What was shown is stored within this time, milliseconds, or after so many bytes. */
const STORE_MS = 1_000;
const STORE_SIZE = 512 * 1024;
/** What is shown within this time, milliseconds, is one event: less than a frame of a screen. */
const SAME_MS = 10;
/** Bytes that may wait for the database; then the router waits. */
const MOST_WAITING = 2 * 1024 * 1024;

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

/** Write what a router shows, in compressed chunks. What is typed is not in it. */
function startRecorder(
  { database, clock, log }: RecorderDeps,
  scope: OrganizationScope,
  { id, serial, email, client }: RecordedTerminal,
  begunAt: Date,
  ended: () => void,
): Recorder {
  const begun = performance.now();
  const header = {
    version: 2,
    width: 80,
    height: 24,
    timestamp: Math.floor(begunAt.getTime() / 1_000),
    title: [serial, client && `${client.address}:${client.port}`, email].filter(Boolean).join(' · '),
    env: { TERM: 'xterm-256color' },
  };
  let next = new NextChunk();
  /** That which is being stored, or none. */
  let other = new NextChunk();
  next.add([0, 'h', header]);
  let stored = 0;
  let seq = 0;
  let hash = firstHash(id);
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> | undefined;
  let over: Promise<void> | undefined;
  let hasFailed = false;
  let stopped: (reason: RecordingStop) => void = () => {};
  let caughtUp: () => void = () => {};

  const now = (): number => Math.round(performance.now() - begun);
  const pack = async (): Promise<NewChunk> => {
    [next, other] = [other, next];
    const bytes = other.size;
    const contents = await other.pack().finally(() => other.clear());
    return { seq, contents, bytes, hash: hashChunk(hash, contents) };
  };
  const insert = async (tx: Tx, chunk: NewChunk): Promise<void> => {
    if (!(await insertChunk(tx, scope, id, chunk))) throw new Error('The recording was ended elsewhere.');
  };
  const store = async (): Promise<void> => {
    const chunk = await pack();
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
      .finally(() => {
        writing = undefined;
        if (!next.isEmpty) schedule();
        caughtUp();
      });
  };
  const schedule = (): void => {
    if (next.size >= STORE_SIZE) write();
    else
      timer ??= setTimeout(
        guard(log, () => {}, write),
        STORE_MS,
      );
  };
  const isOpen = () => over === undefined && !hasFailed;
  const show = (bytes: Buffer): void => {
    next.show(now(), bytes, SAME_MS);
    schedule();
    if (stored + next.size > recordings.MAX_RECORDING_BYTES) stopped('recording-full');
  };

  const end = async (reason: recordings.RecordingEnd): Promise<void> => {
    clearTimeout(timer);
    await writing;
    if (!hasFailed) next.add([now(), 'm', reason]);
    const last = hasFailed ? undefined : await pack();
    await database.write(async (tx) => {
      if (last !== undefined) await insert(tx, last);
      await endRecording(tx, scope, id, reason, clock.now());
    });
  };

  return {
    output(bytes) {
      if (isOpen() && bytes.length > 0) show(bytes);
    },
    resize(cols, rows) {
      if (!isOpen()) return;
      next.add([now(), 'r', `${cols}x${rows}`]);
      schedule();
    },
    get isBehind() {
      return next.size > MOST_WAITING;
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

import type { ServerResponse } from 'node:http';
import { live } from '@highline/contract';
import type { FastifyReply } from 'fastify';
import type { Routes } from '../http/call.ts';
import type { Clock } from '../ports/clock.ts';
import type { Database } from '../ports/database.ts';
import type { Log } from '../ports/log.ts';
import type { Actor, Scope } from '../scope.ts';
import { endOfOutbox, isPast, KEPT_MS, readOutbox, type Dispatcher, type OutboxEvent, type Place } from './dispatcher.ts';

/** Comment lines keep proxies from closing a quiet stream; at each one the session is checked again. */
const HEARTBEAT_MS = 15_000;
/** Events of one stream are gathered for so long, so that a storm of changes is a few refetches and not a thousand. */
const GATHER_MS = 250;
/** A browser that does not read is closed rather than buffered for; it resumes where it stood. */
const MAX_BUFFERED_BYTES = 256 * 1024;
const MAX_STREAMS_PER_ACCOUNT = 20;
const MAX_IDS = 50;
/** Clocks of several servers may differ by so much; an id from further ahead is none of ours. */
const AHEAD_MS = 60_000;
const BEGINNING: Place = { xid: '0', position: '0' };

export interface StreamDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly dispatcher: Dispatcher;
  readonly log: Log;
  /** The session as it is now, to notice an end or a change of role made by another server. */
  readonly readSession: (sessionId: string) => Promise<Actor | undefined>;
}

export interface LiveStreams {
  /** Serve GET /data_manager/v1/events. */
  register(routes: Routes): void;
  /** End streams at once: sign-out, role change, transfer. */
  end(which: { readonly sessionId: string } | { readonly accountId: string }): void;
  /** How many are open. */
  count(): number;
  /** Tell every console to come back after a while, and close. */
  closeAll(): void;
}

interface Stream {
  readonly actor: Actor;
  readonly scope: Scope;
  readonly response: ServerResponse;
  readonly clock: Clock;
  readonly pending: Map<live.LiveTopic, Set<string> | 'all'>;
  /** Where the browser resumes from; never beyond what was gathered for it. */
  place: Place;
  /** What was missed is still being read: new events are gathered beside it, and none carries a place yet. */
  isResuming: boolean;
  gather: NodeJS.Timeout | undefined;
}

/** Whether an event concerns a scope: an organization hears its own; the main account hears its own and its organizations'. */
export function concerns(scope: Scope, event: Pick<OutboxEvent, 'mainAccountId' | 'organizationId'>): boolean {
  if (event.mainAccountId !== scope.mainAccountId) return false;
  return scope.kind === 'main' || event.organizationId === scope.organizationId;
}

/** Server-sent events over the dispatcher: they name what changed, never what it changed to. */
export function createLiveStreams(deps: StreamDeps): LiveStreams {
  const streams = new Set<Stream>();
  const unsubscribe = deps.dispatcher.subscribe((events) => {
    for (const stream of streams) hear(stream, events, !stream.isResuming);
  });
  const heartbeat = setInterval(() => void beat(), HEARTBEAT_MS);
  heartbeat.unref();

  const close = (stream: Stream): void => {
    clearTimeout(stream.gather);
    streams.delete(stream);
    stream.response.end();
  };

  const finish = (stream: Stream): void => {
    write(stream, `event: ended\ndata: ${JSON.stringify({ topic: 'ended', ids: [], org: null })}\n\n`);
    close(stream);
  };

  const beat = async (): Promise<void> => {
    for (const stream of streams) {
      write(stream, ': \n\n');
      const actor = await deps.readSession(stream.actor.sessionId).catch(() => stream.actor);
      if (actor === undefined || actor.role !== stream.actor.role || actor.organizationId !== stream.actor.organizationId)
        finish(stream);
      else if (stream.response.writableLength > MAX_BUFFERED_BYTES) close(stream);
    }
  };

  const open = async (actor: Actor, scope: Scope, reply: FastifyReply, lastEventId: string | undefined): Promise<void> => {
    const mine = [...streams].filter((stream) => stream.actor.accountId === actor.accountId);
    if (mine.length >= MAX_STREAMS_PER_ACCOUNT) close(mine[0]!);
    reply.hijack();
    const response = reply.raw;
    const headers = reply.getHeaders() as Record<string, string>;
    response.writeHead(200, {
      ...headers,
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
    // Listening begins before the resume is read: what is committed in between arrives twice at worst, never not at all.
    const stream: Stream = {
      actor,
      scope,
      response,
      clock: deps.clock,
      pending: new Map(),
      place: BEGINNING,
      isResuming: true,
      gather: undefined,
    };
    streams.add(stream);
    response.on('close', () => close(stream));
    response.on('error', () => close(stream));
    try {
      await catchUp(deps, stream, lastEventId);
      // The session may have ended after it let this call in, and before there was a stream to end.
      if ((await deps.readSession(actor.sessionId)) === undefined) finish(stream);
    } catch (error) {
      deps.log.warn({ err: error }, 'A live stream could not be caught up; its console comes back.');
      close(stream);
    }
  };

  return {
    register(routes) {
      routes.on(live.liveStream, async ({ actor, scope, reply, request }) => {
        const last = request.headers['last-event-id'];
        await open(actor, scope, reply, typeof last === 'string' ? last : undefined);
      });
    },
    end(which) {
      for (const stream of streams) {
        const hit =
          'sessionId' in which ? stream.actor.sessionId === which.sessionId : stream.actor.accountId === which.accountId;
        if (hit) finish(stream);
      }
    },
    count: () => streams.size,
    closeAll() {
      clearInterval(heartbeat);
      unsubscribe();
      for (const stream of streams) {
        // Each console waits its own while, so that they do not all return in the same instant.
        write(stream, `retry: ${1000 + Math.floor(Math.random() * 9000)}\n\n`);
        close(stream);
      }
    },
  };
}

/** Begin a stream at the end of the outbox, or where the browser stood, or with a `reset` where that place is gone. */
async function catchUp(deps: StreamDeps, stream: Stream, lastEventId: string | undefined): Promise<void> {
  const last = lastEventId === undefined ? undefined : await findPlace(deps, lastEventId);
  stream.place = last ?? (await endOfOutbox(deps.database.read));
  // An id without data is kept by the browser all the same: who is cut off before the first event resumes from here. Who
  // missed events keeps the id it has until they are sent; one that is worthless is replaced together with the reset.
  write(stream, `retry: 2000\n${lastEventId === undefined ? idLine(stream) : ''}\n`);
  if (last !== undefined) await readMissed(deps, stream);
  else if (lastEventId !== undefined) gatherInto(stream, 'reset', []);
  stream.isResuming = false;
}

/** @returns undefined for a place that is none, too long ago, or of another database's history */
async function findPlace(deps: StreamDeps, lastEventId: string): Promise<Place | undefined> {
  const place = parsePlace(lastEventId);
  if (place === undefined) return undefined;
  const age = deps.clock.now().getTime() - place.seconds * 1000;
  const isKept = age < KEPT_MS && age > -AHEAD_MS;
  return isKept && (await isPast(deps.database.read, place)) ? place : undefined;
}

async function readMissed(deps: StreamDeps, stream: Stream): Promise<void> {
  for (;;) {
    const events = await readOutbox(deps.database.read, stream.place);
    hear(stream, events, true);
    const last = events.at(-1);
    if (last === undefined) return;
    stream.place = last;
  }
}

/** `{xid}.{position}.{epoch seconds}`: the time tells whether what came after is still kept. */
function parsePlace(text: string): (Place & { readonly seconds: number }) | undefined {
  const match = /^(\d{1,18})\.(\d{1,18})\.(\d{1,12})$/u.exec(text);
  return match === null ? undefined : { xid: match[1]!, position: match[2]!, seconds: Number(match[3]) };
}

function idLine({ place, clock }: Stream): string {
  return `id: ${place.xid}.${place.position}.${Math.floor(clock.now().getTime() / 1000)}\n`;
}

function hear(stream: Stream, events: readonly OutboxEvent[], moves: boolean): void {
  for (const event of events) {
    if (!concerns(stream.scope, event)) continue;
    if (moves) stream.place = event;
    gatherInto(stream, event.topic, event.ids);
  }
}

/** Note a change and send what has gathered shortly after. An event without ids means the whole topic. */
function gatherInto(stream: Stream, topic: live.LiveTopic, ids: readonly string[]): void {
  const before = stream.pending.get(topic);
  const merged = ids.length === 0 || before === 'all' ? 'all' : new Set([...(before ?? []), ...ids]);
  stream.pending.set(topic, merged !== 'all' && merged.size > MAX_IDS ? 'all' : merged);
  stream.gather ??= setTimeout(() => flush(stream), GATHER_MS);
}

function flush(stream: Stream): void {
  stream.gather = undefined;
  const id = stream.isResuming ? '' : idLine(stream);
  const org = stream.scope.kind === 'organization' ? stream.scope.organizationId : null;
  const events = [...stream.pending].map(([topic, ids]) => {
    const data: live.LiveEvent = { topic, ids: ids === 'all' ? [] : [...ids], org };
    return `event: ${topic}\ndata: ${JSON.stringify(data)}\n`;
  });
  stream.pending.clear();
  // The place goes with the last event alone: a stream cut off in between resumes before all of them.
  write(stream, events.map((event, index) => `${index === events.length - 1 ? id : ''}${event}\n`).join(''));
  if (stream.response.writableLength > MAX_BUFFERED_BYTES) stream.response.destroy();
}

function write(stream: Stream, text: string): void {
  if (!stream.response.writableEnded && !stream.response.destroyed) stream.response.write(text);
}

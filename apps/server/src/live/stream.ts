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
  readonly pending: Map<live.LiveTopic, Set<string> | 'all'>;
  place: Place | undefined;
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
    for (const stream of streams) hear(stream, events);
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
    const stream: Stream = { actor, scope, response, pending: new Map(), place: undefined, gather: undefined };
    // Listening begins before the resume is read: what is committed in between arrives twice at worst, never not at all.
    streams.add(stream);
    response.on('close', () => close(stream));
    response.on('error', () => close(stream));
    // An id without data is kept by the browser all the same: who is cut off before the first event resumes from here.
    stream.place ??= await endOfOutbox(deps.database.read);
    write(stream, `retry: 2000\n${idLine(stream, deps.clock.now())}\n`);
    if (lastEventId !== undefined) await resume(deps, stream, lastEventId);
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

async function resume(deps: StreamDeps, stream: Stream, lastEventId: string): Promise<void> {
  const place = parsePlace(lastEventId);
  const kept =
    place !== undefined &&
    deps.clock.now().getTime() - place.seconds * 1000 < KEPT_MS &&
    (await isPast(deps.database.read, place));
  if (!kept) {
    gatherInto(stream, 'reset', []);
    return;
  }
  let from: Place = place;
  for (;;) {
    const events = await readOutbox(deps.database.read, from);
    hear(stream, events);
    const last = events.at(-1);
    if (last === undefined) return;
    from = last;
  }
}

/** `{xid}.{position}.{epoch seconds}`: the time tells whether what came after is still kept. */
function parsePlace(text: string): (Place & { readonly seconds: number }) | undefined {
  const match = /^(\d{1,18})\.(\d{1,18})\.(\d{1,12})$/u.exec(text);
  return match === null ? undefined : { xid: match[1]!, position: match[2]!, seconds: Number(match[3]) };
}

function idLine({ place }: Stream, now: Date): string {
  return place === undefined ? '' : `id: ${place.xid}.${place.position}.${Math.floor(now.getTime() / 1000)}\n`;
}

function hear(stream: Stream, events: readonly OutboxEvent[]): void {
  for (const event of events) {
    if (!concerns(stream.scope, event)) continue;
    stream.place = event;
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
  const id = idLine(stream, new Date());
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

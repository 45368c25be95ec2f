import { live } from '@highline/contract';
import type { FastifyReply } from 'fastify';
import { DomainError, guard, type Actor, type Scope } from '../../kernel/index.ts';
import type { Routes } from '../../platform/calls/call.ts';
import { outsideCalls } from '../../platform/calls/call-steps.ts';
import type { OutboxEvent } from '../../platform/outbox/outbox.ts';
import { createChannel } from './channel.ts';
import { catchUp, currentPosition, type StreamDeps, type Stream, deliverEvent } from './missed-events.ts';

const HEARTBEAT_MS = live.beatSeconds * 1_000;
/** At every third heartbeat the sessions are checked again, to notice what another server or the clock has ended. */
const BEATS_PER_CHECK = 3;
const RETRY_MS = 2_000;
const MAX_STREAMS_PER_ACCOUNT = 20;
/** Streams of all accounts of an organization, or of a main account's own people, at this process. */
const MAX_STREAMS_PER_TENANT = 400;
/** Retry delay for accounts with too many open windows, so that their windows alternate instead of reconnecting in a circle. */
const CROWDED_RETRY_MS = 60_000;

export interface LiveStreams {
  /** Serve GET /data_manager/v1/events. */
  register(routes: Routes): void;
  /** The id of all events so far: what is read from now on shows their changes. Undefined before the first look at the outbox. */
  lastEventId(): string | undefined;
  /** Main accounts with an open stream. */
  tenants(): string[];
  /** End streams of this server at once: sign-out, role change. */
  end(which: { readonly sessionId: string } | { readonly accountId: string }): void;
  /** Ask every console to reconnect after a delay, and close. */
  closeAll(): void;
}

/** Server-sent events over the dispatcher: they name the changed topic, never its data. */
export function createLiveStreams(deps: StreamDeps): LiveStreams {
  const streams = new Set<Stream>();
  let isClosing = false;

  const finish = (stream: Stream): void => {
    streams.delete(stream);
    stream.channel.finish();
  };

  /** End the streams of sessions that ended, or whose role or organization changed. */
  const recheck = createRechecker(deps.readSession, (stream, now) => {
    if (streams.has(stream) && !isSame(stream.actor, now)) finish(stream);
  });

  const subscriptions = [
    deps.dispatcher.subscribe((events) => {
      for (const stream of streams) if (events.some((event) => touches(event, stream.actor))) recheck([stream]);
    }),
    deps.shown.subscribe((events) => {
      for (const stream of streams) deliverEvent(stream, events);
    }),
  ];

  let beats = 0;
  const beat = (): void => {
    for (const { channel } of streams) channel.beat();
    beats += 1;
    // What could not be decided is checked at each one.
    recheck(beats % BEATS_PER_CHECK === 0 ? streams : []);
  };
  const heartbeat = setInterval(
    guard(deps.log, () => {}, beat),
    HEARTBEAT_MS,
  );
  heartbeat.unref();

  /** @throws DomainError `request.too_many` when others of the tenant use up its streams */
  const makeSpace = ({ accountId, ...actor }: Actor): void => {
    const ofTenant = [...streams].filter((each) => tenantOf(each.actor) === tenantOf(actor));
    const own = ofTenant.filter((each) => each.actor.accountId === accountId);
    if (own.length < MAX_STREAMS_PER_ACCOUNT && ofTenant.length >= MAX_STREAMS_PER_TENANT)
      throw new DomainError('request.too_many', {
        message: 'Too many event streams of your organization are open. Close some windows, or end programs that follow events.',
        retryAfter: CROWDED_RETRY_MS / 1_000,
      });
    for (const stream of own.slice(0, Math.max(0, own.length - MAX_STREAMS_PER_ACCOUNT + 1))) {
      streams.delete(stream);
      stream.channel.close(CROWDED_RETRY_MS);
    }
  };

  const open = async (actor: Actor, scope: Scope, reply: FastifyReply, lastEventId: string | undefined): Promise<void> => {
    makeSpace(actor);
    let isCaughtUp = lastEventId === undefined;
    const channel = createChannel(takeOver(reply), {
      log: deps.log,
      organizationId: scope.kind === 'organization' ? scope.organizationId : null,
      // Until the missed events are collected, the browser keeps its old cursor.
      position: () => (isCaughtUp ? currentPosition(deps) : undefined),
    });
    // Its browser may have left while the session was read.
    if (isClosing || reply.raw.destroyed) return channel.close(jitter());
    const stream: Stream = { actor, scope, channel };
    // Subscribe before reading missed events: what is committed in between may arrive twice, but is never lost.
    streams.add(stream);
    reply.raw.on('close', () => {
      streams.delete(stream);
      channel.close();
    });
    channel.greet(RETRY_MS);
    try {
      if (lastEventId !== undefined) await catchUp(deps, stream, lastEventId);
      isCaughtUp = true;
      // The session may have ended after authentication and before this stream was registered.
      recheck([stream]);
    } catch (error) {
      deps.log.warn({ err: error }, 'Failed to resume a live stream; its console will reconnect.');
      streams.delete(stream);
      channel.close();
    }
  };

  return {
    register(routes) {
      routes.on(live.liveStream, async ({ actor, scope, query, reply, request }) => {
        const last = request.headers['last-event-id'];
        await open(actor, scope, reply, typeof last === 'string' ? last : query.after);
      });
    },
    lastEventId: () => currentPosition(deps),
    tenants: () => Array.from(streams, ({ scope }) => scope.mainAccountId),
    end(which) {
      for (const stream of streams) {
        const { sessionId, accountId } = stream.actor;
        if ('sessionId' in which ? sessionId === which.sessionId : accountId === which.accountId) finish(stream);
      }
    },
    closeAll() {
      isClosing = true;
      clearInterval(heartbeat);
      for (const unsubscribe of subscriptions) unsubscribe();
      for (const { channel } of streams) channel.close(jitter());
      streams.clear();
    },
  };
}

/** Check sessions again, each once regardless of the number of requests meanwhile, one after another. */
function createRechecker(readSession: StreamDeps['readSession'], decide: (stream: Stream, now: Actor | undefined) => void) {
  const due = new Set<Stream>();
  let isRunning = false;

  const run = async (): Promise<void> => {
    isRunning = true;
    const undecided: Stream[] = [];
    while (due.size > 0) {
      const some = [...due];
      due.clear();
      // A session may be allowed at one address and not at another.
      for (const ofSession of Map.groupBy(some, ({ actor }) => `${actor.sessionId} ${actor.address}`).values()) {
        const { sessionId, address } = ofSession[0]!.actor;
        // An unreachable database says nothing about a session.
        const now = await readSession(sessionId, address).catch(() => 'unknown' as const);
        if (now === 'unknown') undecided.push(...ofSession);
        else for (const stream of ofSession) decide(stream, now);
      }
    }
    for (const stream of undecided) due.add(stream);
    isRunning = false;
  };

  return (some: Iterable<Stream>): void => {
    for (const stream of some) due.add(stream);
    // Sessions of all are read, also where a limited person opens a stream.
    if (!isRunning && due.size > 0) void outsideCalls(run);
  };
}

/** Random delay per console, so that they do not all reconnect at once. */
const jitter = () => 1_000 + Math.floor(Math.random() * 9_000);

/** Take over the raw answer as a stream; Fastify sends nothing more. */
function takeOver(reply: FastifyReply) {
  reply.hijack();
  const headers = reply.getHeaders() as Record<string, string>;
  reply.raw.on('error', () => {});
  // A stream that ended must not keep its connection: an account could collect any number of them.
  reply.raw.shouldKeepAlive = false;
  return reply.raw.writeHead(200, {
    ...headers,
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    // Proxies such as nginx would buffer a stream until it ends.
    'x-accel-buffering': 'no',
  });
}

function isSame(before: Actor, now: Actor | undefined): boolean {
  return (
    now !== undefined &&
    now.role === before.role &&
    now.organizationId === before.organizationId &&
    JSON.stringify([now.limit, now.ownRole]) === JSON.stringify([before.limit, before.ownRole])
  );
}

const tenantOf = ({ organizationId, mainAccountId }: Pick<Actor, 'organizationId' | 'mainAccountId'>) =>
  organizationId ?? mainAccountId;

/** Whether an event is a reason to check an actor's session: the account changed, or its organization. */
function touches({ topic, ids, ...event }: OutboxEvent, actor: Actor): boolean {
  if (event.mainAccountId !== actor.mainAccountId) return false;
  if (topic === 'apiKeys') return actor.key !== undefined && ids.includes(actor.key.id);
  if (topic === 'accounts') return ids.length === 0 || ids.includes(actor.accountId);
  return topic === 'organizations' && event.organizationId === actor.organizationId;
}

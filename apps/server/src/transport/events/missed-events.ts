import type { Actor, Scope } from '../../kernel/index.ts';
import type { Dispatcher } from '../../platform/outbox/dispatcher.ts';
import { concerns, isPast, KEPT_MS, listSince, type OutboxEvent } from '../../platform/outbox/outbox.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import type { Channel } from './channel.ts';

/** Above this number of missed events a client refetches everything, which is cheaper. */
const MOST_MISSED = 5_000;

/** Allowed clock difference between servers; a cursor further in the future is invalid. */
const AHEAD_MS = 60_000;

export interface StreamDeps extends Pick<Deps, 'database' | 'clock' | 'log'> {
  readonly dispatcher: Dispatcher;
  /** The same events, when lists show the changes. */
  readonly shown: Pick<Dispatcher, 'subscribe' | 'readUpTo'>;
  /** The current state of a session. */
  readonly readSession: (sessionId: string, address: string) => Promise<Actor | undefined>;
}

export interface Stream {
  readonly actor: Actor;
  readonly scope: Scope;
  readonly channel: Channel;
}

/** Someone who is limited, or has an own role, fetches the topic again: ids of what others see are not sent. */
export function deliverEvent({ actor, scope, channel }: Stream, events: readonly OutboxEvent[]): void {
  const seesAll = actor.limit === undefined && actor.ownRole === undefined;
  for (const event of events) if (concerns(scope, event)) channel.gather(event.topic, seesAll ? event.ids : []);
}

/** `{xid}.{epoch seconds}`: everything before that transaction had been delivered at that time. */
export function currentPosition({ shown, clock }: StreamDeps): string | undefined {
  const read = shown.readUpTo();
  return read === undefined ? undefined : `${read.xid}.${Math.floor((clock.now().getTime() - read.ageMs) / 1000)}`;
}

/** Collect what was committed since the browser's cursor, or a `reset` when it is expired. */
export async function catchUp(deps: StreamDeps, stream: Stream, lastEventId: string): Promise<void> {
  const xid = await findPosition(deps, lastEventId);
  const missed = xid === undefined ? undefined : await listSince(deps.database.read, stream.scope, xid, MOST_MISSED + 1);
  if (missed === undefined || missed.length > MOST_MISSED) stream.channel.gather('reset', []);
  else deliverEvent(stream, missed);
}

/** @returns undefined for a cursor that is invalid, too old, or of another database's history */
async function findPosition({ database, clock }: StreamDeps, text: string): Promise<string | undefined> {
  const [, xid, seconds] = /^(\d{1,18})\.(\d{1,12})$/u.exec(text) ?? [];
  if (xid === undefined) return undefined;
  const age = clock.now().getTime() - Number(seconds) * 1000;
  const isKept = age < KEPT_MS && age > -AHEAD_MS;
  return isKept && (await isPast(database.read, xid)) ? xid : undefined;
}

import { z } from 'zod';
import * as domains from './domains.ts';
import { everyRole, operation } from './operation.ts';
import { tenantQuery } from './conventions.ts';

/**
 * The topic of a change. The console refetches the queries of that topic; events carry ids, never values. `reset`: events were
 * missed, refetch everything. `ended`: the session or its role ended, reload. `beat`: nothing changed, the stream is alive; one
 * comes every `beatSeconds`, so a client that receives none for longer has lost the server.
 */
export const liveTopics = [
  ...Object.values(domains).flatMap((calls) => ('topics' in calls ? calls.topics : [])),
  'beat',
  'reset',
  'ended',
] as const;
/** Interval of `beat` events, seconds. */
export const beatSeconds = 5;

export type LiveTopic = (typeof liveTopics)[number];

/** The `data` of one server-sent event; its `event` is the topic, its `id` the position to resume from. */
export const liveEvent = z.object({
  topic: z.enum(liveTopics),
  /** Ids of what changed, when few; empty = refetch the whole topic. */
  ids: z.array(z.string()),
  org: z.string().nullable(),
});
export type LiveEvent = z.infer<typeof liveEvent>;

/** Header of every answer to a signed-in caller: events of later changes have a later `id` than this one. */
export const EVENT_ID_HEADER = 'highline-event-id';

export const liveStream = operation({
  id: 'live.stream',
  method: 'GET',
  path: '/data_manager/v1/events',
  summary:
    'Server-sent events for changes within the scope; resumes by Last-Event-ID, or begins after the `highline-event-id` of an earlier answer.',
  scope: 'tenant',
  roles: everyRole,
  query: tenantQuery.extend({
    /** The `highline-event-id` of a response: the stream begins with what changed since. A browser's Last-Event-ID goes before it. */
    after: z.string().max(64).optional(),
  }),
  response: liveEvent,
  sends: 'events',
});

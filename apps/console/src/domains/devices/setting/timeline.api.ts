import { timeline } from '@highline/contract';
import { infiniteQueryOptions } from '@tanstack/react-query';
import { call } from '../../../api/client.ts';

export type TimelineItem = timeline.TimelineItem;
export type TimelineKind = timeline.TimelineKind;
export type ItemOf<Kind extends TimelineKind> = Extract<TimelineItem, { kind: Kind }>;

/** The events of a device, newest first, of one kind or of all; older pages follow by cursor. */
export const timelineQuery = (device: string, kind: TimelineKind | undefined) =>
  infiniteQueryOptions({
    queryKey: ['devices', 'timeline', device, kind ?? 'all'],
    queryFn: ({ pageParam, signal }) =>
      call(timeline.deviceTimeline, {
        query: { device, ...(kind === undefined ? {} : { kind }), ...(pageParam === undefined ? {} : { cursor: pageParam }) },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    refetchInterval: 60_000,
    // User actions are entries of the log; the other kinds are published under the topics of what they change.
    meta: { topics: ['devices', 'groups', 'rollouts', 'logs', 'remote', 'esims', 'alerts', 'geofences'] },
  });

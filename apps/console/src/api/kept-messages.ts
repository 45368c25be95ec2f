import { live } from '@highline/contract';
import { isOlder } from './event-id.ts';

export type LiveTopic = live.LiveTopic;

/** Events that the page with the stream keeps for pages that join; for older ones they fetch everything. */
const MOST_KEPT = 500;

/** The latest events of the stream, with the id up to which each of them was sent. */
export function createKept(begin: string | undefined) {
  let from = begin;
  const events: { readonly topic: LiveTopic; until?: string }[] = [];
  return {
    /** @param id new: the events so far were sent up to it. Several events that are sent together share the id of the last one. */
    add(topic: LiveTopic, id: string, isNew: boolean): void {
      from ??= id;
      if (topic !== 'beat') events.push({ topic });
      if (!isNew) return;
      for (const event of events) event.until ??= id;
      const dropped = events.splice(0, events.length - MOST_KEPT).at(-1);
      if (dropped?.until !== undefined) from = dropped.until;
    },
    since(after: string | undefined): readonly LiveTopic[] {
      if (after === undefined || from === undefined || isOlder(after, from)) return ['reset'];
      return [...new Set(events.filter(({ until }) => until === undefined || isOlder(after, until)).map(({ topic }) => topic))];
    },
  };
}

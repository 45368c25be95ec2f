import type { Dispatcher, ReadUpTo } from './dispatcher.ts';

/**
 * Events delivered when lists show what they are about: a console that refetches at once must not read a replica that lacks the
 * change.
 * @param whenShown runs a function once everything committed by now is shown
 */
export function deliverWhenShown(
  dispatcher: Dispatcher,
  whenShown: (work: () => void) => void,
): Pick<Dispatcher, 'subscribe' | 'readUpTo'> {
  /** Positions before batches that are held back, oldest first. */
  const held: { readonly before: ReadUpTo | undefined; readonly at: number }[] = [];
  const subscribers = new Set<Parameters<Dispatcher['subscribe']>[0]>();
  dispatcher.subscribe((events) => {
    const entry = { before: dispatcher.readUpTo(), at: performance.now() };
    held.push(entry);
    whenShown(() => {
      held.splice(held.indexOf(entry), 1);
      // All at once: a console that is notified must not find a result of before in a cache.
      for (const listener of subscribers) listener(events);
    });
  });
  return {
    subscribe(listener) {
      subscribers.add(listener);
      return () => subscribers.delete(listener);
    },
    readUpTo() {
      const [first] = held;
      if (first === undefined) return dispatcher.readUpTo();
      // A browser resumes from before everything that it has not received.
      return first.before && { ...first.before, ageMs: first.before.ageMs + performance.now() - first.at };
    },
  };
}

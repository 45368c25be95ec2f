import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { configs } from '@highline/contract';
import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { call } from './client.ts';
import { createEventIds } from './event-id.ts';
import { concerns, createBatcher, startLive, type LiveTopic } from './live.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('collecting changes', () => {
  test('the first change after a quiet time is delivered immediately, a storm at most once per interval', () => {
    const flushed: LiveTopic[][] = [];
    const batcher = createBatcher(
      (topics) => flushed.push([...topics]),
      () => false,
      800,
    );
    batcher.add('devices');
    vi.advanceTimersByTime(0);
    expect(flushed).toEqual([['devices']]);
    for (let count = 0; count < 1000; count += 1) batcher.add('devices');
    batcher.add('groups');
    vi.advanceTimersByTime(799);
    expect(flushed).toHaveLength(1);
    vi.advanceTimersByTime(1);
    expect(flushed).toEqual([['devices'], ['devices', 'groups']]);
    vi.advanceTimersByTime(10_000);
    expect(flushed).toHaveLength(2);
  });

  test('SHR-03-partial nothing is delivered while paused, and everything afterwards', () => {
    const flushed: LiveTopic[][] = [];
    let paused = true;
    const batcher = createBatcher(
      (topics) => flushed.push([...topics]),
      () => paused,
      800,
    );
    batcher.add('devices');
    vi.advanceTimersByTime(5000);
    expect(flushed).toEqual([]);
    paused = false;
    batcher.poke();
    vi.advanceTimersByTime(0);
    expect(flushed).toEqual([['devices']]);
  });
});

describe('what a change affects', () => {
  test('queries of its topics; a reset concerns all', () => {
    const meta = { topics: ['devices', 'groups'] as const };
    expect(concerns(meta, new Set<LiveTopic>(['groups']))).toBe(true);
    expect(concerns(meta, new Set<LiveTopic>(['inventory']))).toBe(false);
    expect(concerns(undefined, new Set<LiveTopic>(['devices']))).toBe(false);
    expect(concerns(undefined, new Set<LiveTopic>(['reset']))).toBe(true);
  });
});

describe('the first stream of a page', () => {
  const respond = (id: string) => new Response('{}', { headers: { 'highline-event-id': id } });

  function open() {
    const sources: { readonly url: string; readonly events: EventTarget }[] = [];
    const listeners = { addEventListener: () => {}, removeEventListener: () => {} };
    // Without locks: a stream of its own.
    vi.stubGlobal('navigator', {});
    vi.stubGlobal('document', { visibilityState: 'visible', ...listeners });
    vi.stubGlobal('EventSource', function EventSource(url: string) {
      const events = new EventTarget();
      sources.push({ url, events });
      return Object.assign(events, { close: () => {} });
    });
    const invalidateQueries = vi.fn<() => Promise<void>>(async () => {});
    const ids = createEventIds();
    const client = Object.assign(new QueryClient(), { invalidateQueries });
    const start = () => startLive({ client, account: 'a1', onEnded: () => {}, ids });
    /** How often lists were fetched again since the stream was opened, now that its response has come. */
    const refetches = () => {
      sources.at(-1)!.events.dispatchEvent(new Event('open'));
      vi.advanceTimersByTime(1_000);
      return invalidateQueries.mock.calls.length;
    };
    return { ids, sources, start, refetches };
  }

  test('begins after the oldest answer so far, so no list is fetched again, however late it opens and how often it resumes', () => {
    const { ids, sources, start, refetches } = open();
    for (const id of ['100.1700000000', '99.1700000001', '101.1700000000']) ids.note(respond(id));
    const stop = start();
    expect(sources[0]!.url).toBe('/data_manager/v1/events?after=99.1700000001');
    vi.advanceTimersByTime(10_000);
    ids.note(respond('99.1700000001'));
    ids.note(respond('102.1700000002'));
    expect([refetches(), refetches()]).toEqual([0, 0]);
    stop();
  });

  test('fetches everything again when an older answer arrives after it began', () => {
    const { ids, start, refetches } = open();
    ids.note(respond('100.1700000000'));
    const stop = start();
    ids.note(respond('98.1700000000'));
    expect(refetches()).toBe(1);
    stop();
  });

  test('SHR-03-partial a first response that was on its way when something changed is fetched again', async () => {
    const { ids, sources } = open();
    const client = new QueryClient();
    const responses = ['running', 'done'];
    let deliver: () => void = () => {};
    const queryFn = () =>
      new Promise((resolve) => {
        const response = responses.shift();
        deliver = () => resolve(response);
      });
    const stop = startLive({ client, account: 'a1', onEnded: () => {}, ids });
    const observer = new QueryObserver(client, { queryKey: ['run'], queryFn, meta: { topics: ['tools'] } });
    const unsubscribe = observer.subscribe(() => {});
    sources[0]!.events.dispatchEvent(new MessageEvent('tools'));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(responses).toEqual(['done']);
    deliver();
    await vi.advanceTimersByTimeAsync(0);
    expect(observer.getCurrentResult().data).toBe('running');
    deliver();
    await vi.advanceTimersByTimeAsync(0);
    expect(observer.getCurrentResult().data).toBe('done');
    unsubscribe();
    stop();
  });

  test('SHR-03-partial what the user changed is not read from memory again while no event has come', async () => {
    const { ids } = open();
    const client = new QueryClient();
    await client.fetchQuery({ queryKey: ['configs', 'named', 'depot.cfg'], queryFn: () => null, meta: { topics: ['configs'] } });
    client.setQueryData(['texts'], 'fixed');
    const stop = startLive({ client, account: 'a1', onEnded: () => {}, ids });
    const outdated = () => client.getQueryCache().findAll({ predicate: ({ state }) => state.isInvalidated });
    vi.stubGlobal('fetch', async () => Response.json({ error: { code: -6, key: 'form.invalid', message: '' } }, { status: 400 }));
    await call(configs.saveConfig, { params: { config: 'c1' }, body: { note: '' } }).catch(() => undefined);
    expect(outdated()).toEqual([]);
    vi.stubGlobal('fetch', async () => Response.json({ result: {} }));
    await call(configs.listConfigs, { query: { limit: 3, offset: 0 } });
    expect(outdated()).toEqual([]);
    await call(configs.saveConfig, { params: { config: 'c1' }, body: { note: '' } });
    expect(outdated().map(({ queryKey }) => queryKey[0])).toEqual(['configs']);
    stop();
  });

  test('of a server that tells no event id begins when it opens: everything is fetched again, once', () => {
    const { ids, sources, start, refetches } = open();
    ids.note(new Response('{}'));
    const stop = start();
    expect(sources[0]!.url).toBe('/data_manager/v1/events');
    expect([refetches(), refetches()]).toEqual([1, 1]);
    stop();
  });
});

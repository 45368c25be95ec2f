import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type LiveLink } from './one-stream.ts';
import { createSharedStream } from './shared-stream.ts';

interface Opened {
  readonly after: string | null;
  readonly events: EventTarget;
  isClosed: boolean;
}

let opened: Opened[];
const streams = () => opened.filter(({ isClosed }) => !isClosed);

/** Requests of locks by name, the first of which has it. */
type Request = { readonly end: (isStolen: boolean) => void; readonly begin: () => void };

/** The parts of a browser that its pages share. */
function stubBrowser(hasLocks = true): void {
  opened = [];
  const channels = new Set<EventTarget & { readonly of: string }>();
  const queues = new Map<string, Request[]>();
  class Channel extends EventTarget {
    readonly of: string;
    constructor(of: string) {
      super();
      this.of = of;
      channels.add(this);
    }
    postMessage(data: unknown): void {
      for (const other of channels) {
        if (other !== this && other.of === this.of) other.dispatchEvent(new MessageEvent('message', { data }));
      }
    }
    close(): void {
      channels.delete(this);
    }
  }
  const request = (
    name: string,
    { signal, steal = false }: { signal?: AbortSignal; steal?: boolean },
    run: () => Promise<void>,
  ) =>
    new Promise<void>((resolve, reject) => {
      const queue = queues.get(name) ?? [];
      queues.set(name, queue);
      const held = async () => {
        await run();
        if (queue[0] !== own) return;
        queue.shift();
        queue[0]?.begin();
        resolve();
      };
      const own: Request = {
        begin: () => {
          void held();
        },
        end: () => reject(new DOMException('', 'AbortError')),
      };
      if (steal) queue.shift()?.end(true);
      if (steal) queue.unshift(own);
      else queue.push(own);
      signal?.addEventListener('abort', () => {
        if (queue.indexOf(own) <= 0) return;
        queue.splice(queue.indexOf(own), 1);
        own.end(false);
      });
      if (queue[0] === own) own.begin();
    });
  vi.stubGlobal('navigator', hasLocks ? { locks: { request } } : {});
  vi.stubGlobal('BroadcastChannel', Channel);
  vi.stubGlobal(
    'EventSource',
    Object.assign(
      function EventSource(url: string) {
        const one: Opened = {
          after: new URL(url, 'http://h').searchParams.get('after'),
          events: new EventTarget(),
          isClosed: false,
        };
        opened.push(one);
        return Object.assign(one.events, { readyState: 1, close: () => void (one.isClosed = true) });
      },
      { CLOSED: 2 },
    ),
  );
}

interface PageOptions {
  readonly after?: string | null;
  readonly account?: string;
  readonly isCurrent?: () => boolean;
}

/** A page of the browser, with what reached it. */
function openPage({ after = '100.1', account = 'a1', isCurrent = () => true }: PageOptions = {}) {
  const topics: string[] = [];
  const links: LiveLink[] = [];
  const stream = createSharedStream({
    account,
    start: () => after ?? undefined,
    onTopic: (topic) => topics.push(topic),
    onContact: () => undefined,
    onLink: (link) => links.push(link),
    onRejected: () => undefined,
    isCurrent,
  });
  stream.enter();
  return { topics, links, stream, take: () => topics.splice(0) };
}

/** The server sends an event on every open stream. */
function send(topic: string, id: string): void {
  for (const { events } of streams()) events.dispatchEvent(new MessageEvent(topic, { lastEventId: id }));
}
const connect = () => streams().forEach(({ events }) => events.dispatchEvent(new Event('open')));
/** What waits for locks goes on. */
const othersAct = () => new Promise((resolve) => setImmediate(resolve));

beforeEach(() => stubBrowser());
afterEach(() => vi.unstubAllGlobals());

describe('the stream of a browser', () => {
  test('seven visible pages share one, and each receives every event', () => {
    const pages = Array.from({ length: 7 }, () => openPage());
    connect();
    send('devices', '101.1');
    send('beat', '102.1');
    expect(streams()).toHaveLength(1);
    expect(pages.map(({ topics }) => topics)).toEqual(pages.map(() => ['devices']));
    expect(pages.map(({ links }) => links.at(-1))).toEqual(pages.map(() => 'live'));
  });

  test('goes on in another page when its own closes or is hidden, after the last event: nothing is missed or fetched twice', async () => {
    const pages = [openPage(), openPage(), openPage()];
    connect();
    send('devices', '101.1');
    pages.forEach(({ take }) => take());
    pages[0]!.stream.leave();
    await othersAct();
    expect(streams().map(({ after }) => after)).toEqual(['101.1']);
    connect();
    send('groups', '102.1');
    expect(pages.map(({ topics }) => topics)).toEqual([[], ['groups'], ['groups']]);
    // Shown again: what it missed comes from the page that has the stream.
    pages[0]!.stream.enter();
    expect(pages[0]!.topics).toEqual(['groups']);
    expect(streams()).toHaveLength(1);
  });

  test('a page that opens later receives what its answers do not show yet', () => {
    openPage({ after: '100.1' });
    connect();
    send('devices', '101.1');
    // Sent together: only the last one has the new id.
    send('groups', '101.1');
    send('alerts', '103.1');
    expect(openPage({ after: '101.1' }).topics).toEqual(['groups', 'alerts']);
    expect(openPage({ after: '103.1' }).topics).toEqual([]);
    expect(openPage({ after: '99.1' }).topics).toEqual(['reset']);
    expect(openPage({ after: null }).topics).toEqual(['reset']);
  });

  test('the end of the session reaches every page; pages of another account have their own stream', () => {
    const [own, sibling, other] = [openPage(), openPage(), openPage({ account: 'a2' })];
    expect(streams()).toHaveLength(2);
    streams()[0]!.events.dispatchEvent(new MessageEvent('ended', { lastEventId: '' }));
    expect([own.topics, sibling.topics, other.topics]).toEqual([['ended'], ['ended'], []]);
  });

  test('is not opened by a page whose account is no longer signed in', async () => {
    let isCurrent = true;
    const [first, second] = [openPage(), openPage({ isCurrent: () => isCurrent })];
    isCurrent = false;
    first.stream.leave();
    await othersAct();
    expect([second.topics, streams()]).toEqual([['ended'], []]);
  });

  test('counts as live again with the next event, in every page', () => {
    const pages = [openPage(), openPage()];
    connect();
    for (const { events } of streams()) events.dispatchEvent(new Event('error'));
    expect(pages.map(({ links }) => links.at(-1))).toEqual(['reconnecting', 'reconnecting']);
    send('beat', '101.1');
    expect(pages.map(({ links }) => links.at(-1))).toEqual(['live', 'live']);
  });

  test('is taken over from a page that passes nothing on', async () => {
    const [first, second] = [openPage(), openPage()];
    connect();
    second.stream.reopen(15_000);
    expect(opened).toHaveLength(1);
    second.stream.reopen(20_000);
    await othersAct();
    expect(opened.map(({ isClosed }) => isClosed)).toEqual([true, false]);
    connect();
    send('devices', '101.1');
    expect([first.topics, second.topics]).toEqual([['devices'], ['devices']]);
  });

  test('is opened by each page of a browser that denies locks', async () => {
    vi.stubGlobal('navigator', { locks: { request: async () => Promise.reject(new DOMException('', 'SecurityError')) } });
    openPage();
    openPage();
    await othersAct();
    expect(streams()).toHaveLength(2);
  });

  test('without locks each page has its own', () => {
    stubBrowser(false);
    const pages = [openPage(), openPage()];
    connect();
    send('devices', '101.1');
    expect(streams()).toHaveLength(2);
    expect(pages.map(({ topics }) => topics)).toEqual([['devices'], ['devices']]);
  });
});

import type { live } from '@highline/contract';

/** One server-sent event. */
export interface ReceivedEvent {
  readonly event: string;
  readonly data: live.LiveEvent;
  /** The last id of the stream, as a browser keeps it. */
  readonly id: string;
}

/** An open event stream, read like a browser does. */
export interface EventStream {
  readonly status: number;
  /** Everything received so far. */
  readonly received: readonly ReceivedEvent[];
  /** The id a browser would resume from. */
  lastId(): string;
  /** Last retry delay sent by the server, milliseconds. */
  retry(): number | undefined;
  /** The next unread event. @throws when the stream ended before it */
  next(): Promise<ReceivedEvent>;
  /** Resolves once the server ends the stream. */
  readonly ended: Promise<void>;
  close(): void;
}

/** Open the event stream; resolves when the server has answered and sent the cursor to resume from. */
export async function openEventStream(
  url: string,
  bearer: string,
  options: { readonly org?: string; readonly after?: string; readonly lastEventId?: string } = {},
): Promise<EventStream> {
  const stop = new AbortController();
  const { org, after } = options;
  const query = new URLSearchParams({ ...(org !== undefined && { org }), ...(after !== undefined && { after }) });
  const response = await fetch(`${url}/data_manager/v1/events?${query.toString()}`, {
    signal: stop.signal,
    headers: {
      authorization: `Bearer ${bearer}`,
      ...(options.lastEventId === undefined ? {} : { 'last-event-id': options.lastEventId }),
    },
  });
  const received: ReceivedEvent[] = [];
  const waiters: (() => void)[] = [];
  let id = '';
  let retry: number | undefined;
  let read = 0;
  let begun: () => void = () => {};
  const beginning = new Promise<void>((resolve) => {
    begun = resolve;
  });

  const take = (block: string): void => {
    const fields = block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]);
    const valueOf = (name: string) => fields.find(([field]) => field === name)?.[1];
    id = valueOf('id') ?? id;
    const wait = valueOf('retry');
    if (wait !== undefined) retry = Number(wait);
    const event = valueOf('event');
    // Heartbeats only say that the stream is alive.
    if (event !== undefined && event !== 'beat')
      received.push({ event, data: JSON.parse(valueOf('data')!) as live.LiveEvent, id });
    for (const wake of waiters.splice(0)) wake();
    begun();
  };

  const readAll = async (): Promise<void> => {
    let text = '';
    const decoder = new TextDecoder();
    try {
      for await (const chunk of response.body!) {
        text += decoder.decode(chunk as Uint8Array, { stream: true });
        const blocks = text.split('\n\n');
        text = blocks.pop() ?? '';
        for (const block of blocks) take(block);
      }
    } catch (error) {
      if (!stop.signal.aborted) throw error;
    }
    begun();
  };

  const ended = readAll();
  // A test that waits for an event or for the end sees the error; one that waits for neither does not fail by it.
  ended.catch(() => {});
  const broken = ended.then(() => Promise.reject(new Error('The event stream has ended')));
  broken.catch(() => {});
  if (response.status === 200) await Promise.race([beginning, ended]);
  return {
    status: response.status,
    received,
    lastId: () => id,
    retry: () => retry,
    async next() {
      while (received.length <= read)
        await Promise.race([
          broken,
          new Promise<void>((resolve) => {
            waiters.push(resolve);
          }),
        ]);
      read += 1;
      return received[read - 1]!;
    },
    ended,
    close: () => stop.abort(),
  };
}

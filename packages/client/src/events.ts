/** One server-sent event. */
export interface ServerEvent {
  readonly id: string;
  readonly event: string;
  readonly data: string;
}

/** The longest event that is read, characters: a stream that never ends one must not fill the memory. */
const LONGEST_EVENT = 1_048_576;

/** Server-sent events of a body, as the HTML standard reads them (9.2.6). @throws Error for an event that is too long */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent, void, undefined> {
  const decoder = new TextDecoder();
  let pending = '';
  let id = '';
  let event = '';
  let data: string[] = [];
  const take = (line: string): ServerEvent | undefined => {
    if (line === '') {
      const complete = data.length === 0 ? undefined : { id, event: event === '' ? 'message' : event, data: data.join('\n') };
      event = '';
      data = [];
      return complete;
    }
    const colon = line.indexOf(':');
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1);
    if (field === 'data') data.push(value);
    if (field === 'event') event = value;
    if (field === 'id' && !value.includes('\0')) id = value;
    return undefined;
  };
  for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
    pending += decoder.decode(chunk, { stream: true });
    // A carriage return at the end may be the first half of a line break.
    const lines = pending.endsWith('\r') ? [pending] : pending.split(/\r\n|\r|\n/u);
    pending = lines.pop() ?? '';
    for (const line of lines) {
      const complete = take(line);
      if (complete !== undefined) yield complete;
    }
    if (pending.length + data.reduce((sum, { length }) => sum + length, 0) > LONGEST_EVENT)
      throw new Error('An event of the server is too long.');
  }
}

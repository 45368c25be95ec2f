import type { ClientUse, CountedClient } from './count-use.ts';

// Many clients are one value of a row: 6 bytes of the address, counters of as many bytes as they need, and the name. A row of its own for each
// client and day would be three times as large.

/** Writes into a buffer that grows. */
class Writer {
  #bytes = Buffer.allocUnsafe(1_024);
  #length = 0;

  #reserve(more: number): void {
    if (this.#length + more <= this.#bytes.length) return;
    const grown = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.#length + more));
    this.#bytes.copy(grown, 0, 0, this.#length);
    this.#bytes = grown;
  }

  byte(value: number): void {
    this.#reserve(1);
    this.#bytes[this.#length++] = value;
  }

  /** A whole number from 0 to 2^53 − 1, 7 bits a byte (LEB128). */
  count(value: number): void {
    this.#reserve(8);
    let rest = value;
    while (rest >= 128) {
      this.#bytes[this.#length++] = (rest % 128) | 128;
      rest = Math.floor(rest / 128);
    }
    this.#bytes[this.#length++] = rest;
  }

  mac(mac: string): void {
    this.#reserve(6);
    this.#length += this.#bytes.write(mac, this.#length, 6, 'hex');
  }

  text(text: string): void {
    const size = Buffer.byteLength(text);
    this.count(size);
    this.#reserve(size);
    this.#length += this.#bytes.write(text, this.#length, size, 'utf8');
  }

  done(): Buffer {
    return Buffer.from(this.#bytes.subarray(0, this.#length));
  }
}

class Reader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get isDone(): boolean {
    return this.#at >= this.#bytes.length;
  }

  byte(): number {
    return this.#bytes[this.#at++]!;
  }

  count(): number {
    let [value, scale] = [0, 1];
    for (;;) {
      const byte = this.byte();
      value += (byte & 127) * scale;
      if (byte < 128) return value;
      scale *= 128;
    }
  }

  mac(): string {
    const mac = this.#bytes.toString('hex', this.#at, this.#at + 6).toUpperCase();
    this.#at += 6;
    return mac;
  }

  text(): string {
    const size = this.count();
    const text = this.#bytes.toString('utf8', this.#at, this.#at + size);
    this.#at += size;
    return text;
  }
}

/** What clients used on a day. */
export function packDay(clients: readonly ClientUse[]): Buffer {
  const writer = new Writer();
  for (const { mac, name, sent, received } of clients) {
    writer.mac(mac);
    writer.count(sent);
    writer.count(received);
    writer.text(name);
  }
  return writer.done();
}

export function unpackDay(content: Buffer): ClientUse[] {
  const reader = new Reader(content);
  const clients: ClientUse[] = [];
  while (!reader.isDone) {
    const mac = reader.mac();
    const [sent, received] = [reader.count(), reader.count()];
    clients.push({ mac, sent, received, name: reader.text() });
  }
  return clients;
}

const STATION = 1;
const PRESENT = 2;

/** The counters of clients, and what they used today. */
export function packCounters(clients: readonly CountedClient[]): Buffer {
  const writer = new Writer();
  for (const { mac, name, source, sent, received, today, isPresent } of clients) {
    writer.mac(mac);
    writer.byte((source === 'station' ? STATION : 0) + (isPresent ? PRESENT : 0));
    for (const value of [sent, received, today.sent, today.received]) writer.count(value);
    writer.text(name);
  }
  return writer.done();
}

export function unpackCounters(content: Buffer): CountedClient[] {
  const reader = new Reader(content);
  const clients: CountedClient[] = [];
  while (!reader.isDone) {
    const mac = reader.mac();
    const flags = reader.byte();
    const [sent, received] = [reader.count(), reader.count()];
    const today = { sent: reader.count(), received: reader.count() };
    const source = (flags & STATION) === 0 ? ('host' as const) : ('station' as const);
    clients.push({ mac, source, sent, received, today, isPresent: (flags & PRESENT) !== 0, name: reader.text() });
  }
  return clients;
}

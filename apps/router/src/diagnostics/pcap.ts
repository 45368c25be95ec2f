import { isIPv6 } from 'node:net';

/** Ends of a TCP connection. */
export interface Endpoints {
  readonly local: { readonly address: string; readonly port: number };
  readonly remote: { readonly address: string; readonly port: number };
}

/** Bytes that were sent or received over a connection. */
export interface Segment {
  readonly endpoints: Endpoints;
  readonly isSent: boolean;
  readonly payload: Uint8Array;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** What a capture reads. */
export interface TrafficSource {
  /** Call a function for each segment of the router's connections, until the returned function is called. */
  observe(listener: (segment: Segment) => void): () => void;
}

/** LINKTYPE_RAW: each packet begins with its IP header. */
const RAW_IP = 101;
const LONGEST_PACKET = 65_535;
/** Payload of a packet, so that its length fits the IP header. */
const LONGEST_PAYLOAD = 65_000;
const TCP = 6;
const TCP_HEADER = 20;

/** Writes segments as packets of a capture file (libpcap 2.4), up to a size. */
export class Pcap {
  readonly #mostBytes: number;
  readonly #parts: Buffer[] = [fileHeader()];
  readonly #sequences = new Map<string, number>();
  #bytes = 24;
  count = 0;

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  /** @returns whether there is space for more */
  add({ endpoints, isSent, payload, at }: Segment): boolean {
    for (let start = 0; start < payload.length; start += LONGEST_PAYLOAD) {
      const packet = this.#packetOf(endpoints, isSent, payload.subarray(start, start + LONGEST_PAYLOAD));
      if (this.#bytes + 16 + packet.length > this.#mostBytes) return false;
      const header = Buffer.alloc(16);
      header.writeUInt32LE(Math.floor(at / 1_000), 0);
      header.writeUInt32LE(Math.floor((at % 1_000) * 1_000), 4);
      header.writeUInt32LE(packet.length, 8);
      header.writeUInt32LE(packet.length, 12);
      this.#parts.push(header, packet);
      this.#bytes += 16 + packet.length;
      this.count += 1;
    }
    return true;
  }

  contents(): Buffer<ArrayBuffer> {
    return Buffer.concat(this.#parts);
  }

  #packetOf({ local, remote }: Endpoints, isSent: boolean, payload: Uint8Array): Buffer {
    const [from, to] = isSent ? [local, remote] : [remote, local];
    const key = `${from.address} ${from.port} ${to.address} ${to.port}`;
    const sequence = this.#sequences.get(key) ?? 1;
    const acknowledged = this.#sequences.get(`${to.address} ${to.port} ${from.address} ${from.port}`) ?? 1;
    this.#sequences.set(key, (sequence + payload.length) % 2 ** 32);
    const tcp = Buffer.alloc(TCP_HEADER);
    tcp.writeUInt16BE(from.port, 0);
    tcp.writeUInt16BE(to.port, 2);
    tcp.writeUInt32BE(sequence, 4);
    tcp.writeUInt32BE(acknowledged, 8);
    tcp.writeUInt16BE(0x50_18, 12);
    tcp.writeUInt16BE(LONGEST_PACKET, 14);
    const segment = Buffer.concat([tcp, payload]);
    const [source, target] = [addressBytes(from.address), addressBytes(to.address)];
    const pseudo = Buffer.concat([source, target, Buffer.from([0, TCP, segment.length >> 8, segment.length & 0xff])]);
    segment.writeUInt16BE(checksum(Buffer.concat([pseudo, segment])), 16);
    return Buffer.concat([source.length === 4 ? ipv4(source, target, segment) : ipv6(source, target, segment), segment]);
  }
}

function fileHeader(): Buffer {
  const header = Buffer.alloc(24);
  header.writeUInt32LE(0xa1_b2_c3_d4, 0);
  header.writeUInt16LE(2, 4);
  header.writeUInt16LE(4, 6);
  header.writeUInt32LE(LONGEST_PACKET, 16);
  header.writeUInt32LE(RAW_IP, 20);
  return header;
}

function ipv4(source: Buffer, target: Buffer, { length }: Buffer): Buffer {
  const header = Buffer.alloc(12);
  header.writeUInt8(0x45, 0);
  header.writeUInt16BE(20 + length, 2);
  header.writeUInt16BE(0x40_00, 6);
  header.writeUInt8(64, 8);
  header.writeUInt8(TCP, 9);
  const whole = Buffer.concat([header, source, target]);
  whole.writeUInt16BE(checksum(whole), 10);
  return whole;
}

function ipv6(source: Buffer, target: Buffer, { length }: Buffer): Buffer {
  const header = Buffer.alloc(8);
  header.writeUInt8(0x60, 0);
  header.writeUInt16BE(length, 4);
  header.writeUInt8(TCP, 6);
  header.writeUInt8(64, 7);
  return Buffer.concat([header, source, target]);
}

/** RFC 1071. */
function checksum(bytes: Buffer): number {
  let sum = 0;
  for (let at = 0; at + 1 < bytes.length; at += 2) sum += bytes.readUInt16BE(at);
  if (bytes.length % 2 === 1) sum += bytes.readUInt8(bytes.length - 1) << 8;
  while (sum > 0xff_ff) sum = (sum & 0xff_ff) + Math.floor(sum / 0x1_00_00);
  return ~sum & 0xff_ff;
}

function addressBytes(address: string): Buffer {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/u.exec(address)?.[1] ?? address;
  if (!isIPv6(mapped)) return Buffer.from(mapped.split('.').map(Number));
  const [head = '', tail] = mapped.split('%', 1)[0]!.split('::', 2);
  const groups = (text = '') => (text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16)));
  const [first, last] = [groups(head), groups(tail)];
  const all =
    tail === undefined ? first : [...first, ...Array.from({ length: 8 - first.length - last.length }, () => 0), ...last];
  return Buffer.from(all.flatMap((group) => [group >> 8, group & 0xff]));
}

import { createSocket, type RemoteInfo } from 'node:dgram';
import { once } from 'node:events';
import { isIPv6 } from 'node:net';

/** What a name server says of a name: its addresses of both kinds, that it does not exist, that it failed, or nothing at all. */
export type NameResponse = readonly string[] | 'missing' | 'failed' | 'silent';

/** A question that a name server got. */
export interface Question {
  readonly name: string;
  readonly type: 'A' | 'AAAA';
}

/** A name server on loopback, over UDP, that answers as a test tells it. */
export interface NameServer {
  /** `address:port` */
  readonly address: string;
  readonly questions: readonly Question[];
  /** Answer so from now on, also later; default: no name exists. */
  respond(how: (question: Question) => NameResponse | Promise<NameResponse>): void;
  close(): void;
}

const HEADER_BYTES = 12;
const [A, AAAA] = [1, 28];
/** A response with recursion; the codes of failures. */
const RESPONSE = 0x8180;
const codes = { failed: 2, missing: 3 } as const;

export async function startNameServer(): Promise<NameServer> {
  const questions: Question[] = [];
  let how: Parameters<NameServer['respond']>[0] = () => 'missing';
  const socket = createSocket('udp4');
  let isOpen = true;
  const receive = async (message: Buffer, from: RemoteInfo): Promise<void> => {
    const { question, end } = parseQuestion(message);
    questions.push(question);
    const response = await how(question);
    if (response !== 'silent' && isOpen)
      socket.send(responseTo(message.subarray(0, end), question, response), from.port, from.address);
  };
  socket.on('message', (message, from) => void receive(message, from));
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    address: `127.0.0.1:${socket.address().port}`,
    questions,
    respond: (next) => {
      how = next;
    },
    close() {
      isOpen = false;
      socket.close();
    },
  };
}

/** The question of a message, and where it ends (RFC 1035, 4.1). */
function parseQuestion(message: Buffer): { readonly question: Question; readonly end: number } {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = message[at]!; length > 0; length = message[at]!) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  const type = message.readUInt16BE(at + 1) === AAAA ? 'AAAA' : 'A';
  return { question: { name: labels.join('.'), type }, end: at + 5 };
}

/** @param start header and question of the message */
function responseTo(start: Buffer, { type }: Question, result: Exclude<NameResponse, 'silent'>): Buffer {
  const response = Buffer.from(start);
  const records = typeof result === 'string' ? [] : result.filter((each) => isIPv6(each) === (type === 'AAAA'));
  response.writeUInt16BE(RESPONSE | (typeof result === 'string' ? codes[result] : 0), 2);
  response.writeUInt16BE(records.length, 6);
  // No authorities, and no additional records, which the message may have.
  response.writeUInt32BE(0, 8);
  return Buffer.concat([response, ...records.map((address) => recordOf(type, address))]);
}

/** An address of the name in the question, for a minute. */
function recordOf(type: Question['type'], address: string): Buffer {
  const data = type === 'A' ? Buffer.from(address.split('.').map(Number)) : bytesOfIPv6(address);
  const head = Buffer.alloc(HEADER_BYTES);
  head.writeUInt16BE(0xc000 | HEADER_BYTES, 0);
  head.writeUInt16BE(type === 'A' ? A : AAAA, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt32BE(60, 6);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}

/** Of addresses in hexadecimal, such as `::ffff:7f00:1`. */
function bytesOfIPv6(address: string): Buffer {
  const [start = [], end = []] = address.split('::').map((part) => part.split(':').filter((group) => group !== ''));
  const groups = [...start, ...Array.from({ length: 8 - start.length - end.length }, () => '0'), ...end];
  return Buffer.from(groups.map((group) => group.padStart(4, '0')).join(''), 'hex');
}

import { CallFailed, ServerUnreachable } from '@highline/client';
import { connect, originOf } from '../client.ts';
import { CommandFault, readArguments, TemporaryFault, type Command } from '../command.ts';
import { readDeliveryStatus, type DeliveryStatus } from './delivery-status.ts';

/** The part of a message that is looked at: what it says of the delivery stands before the mail that it returns, which may have a large file. */
const MOST_BYTES = 262_144;
const LONGEST_REASON = 2_000;

/** @param input the message, as a mail server passes it to a program */
export function createBounceCommand(input: () => AsyncIterable<Uint8Array>): Command {
  return {
    name: 'bounce',
    usage: '--server <url> < message',
    summary:
      'Report to a server that a mail was returned: the mail server runs it for each message to the address in MAIL_BOUNCES. With exit code 75 it has to try again.',
    async run(argv, _environment, say) {
      const server = originOf(readArguments(argv, { required: ['server'] }, 0).values['server']!);
      const status = readDeliveryStatus(await readBeginning(input()));
      say(status === undefined ? 'This message says of no mail that it was returned.' : await report(server, status));
    },
  };
}

/** The rest is read as well: a mail server must not fail to write it. */
async function readBeginning(input: AsyncIterable<Uint8Array>): Promise<string> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of input) {
    if (bytes < MOST_BYTES) pieces.push(piece.subarray(0, MOST_BYTES - bytes));
    bytes += piece.length;
  }
  return Buffer.concat(pieces).toString('utf8');
}

async function report(server: string, { address, status, reason }: DeliveryStatus): Promise<string> {
  try {
    const body = { address, status, reason: reason.slice(0, LONGEST_REASON) };
    const { result } = await connect(server).call('notifications.bounce', { body });
    return result.outcome === 'noted'
      ? 'The mail was noted as returned.'
      : 'The server knows no mail of this address that was not returned before.';
  } catch (error) {
    const isTemporary = error instanceof ServerUnreachable || (error instanceof CallFailed && isPassing(error.status));
    if (isTemporary) throw new TemporaryFault(error.message, { cause: error });
    if (error instanceof CallFailed) throw new CommandFault(error.message, { cause: error });
    throw error;
  }
}

const isPassing = (status: number) => status >= 500 || status === 429;

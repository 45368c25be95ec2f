import { connect } from '@nats-io/transport-node';
import { expect, test } from 'vitest';
import { startNatsServer } from '../../../testing/nats-server.ts';
import { sinkContract, type SinkFault, type SinkTarget } from '../../../testing/sink-contract.ts';
import { readSinkUrl, type SinkSettings } from '../../settings/sink-settings.ts';
import { createJetStreamSink } from './jetstream.ts';

const SUBJECT = 'fleet.readings';
const STREAM = 'READINGS';
const CONFIG = `jetstream { store_dir: "FOLDER/js" }
authorization { user: sink, password: "p@ss" }`;

/** A nats-server with JetStream, whose stream stores to a file; messages are read from it again. */
async function startJetStream(): Promise<SinkTarget & { stored(): Promise<number> }> {
  const server = await startNatsServer(CONFIG);
  const url = server.url('sink:p%40ss@');
  const ask = async (subject: string, body: object = {}) => {
    const connection = await connect({ servers: `127.0.0.1:${server.port}`, user: 'sink', pass: 'p@ss' });
    try {
      const response = (
        await connection.request(`$JS.API.${subject}`, JSON.stringify(body), { timeout: 10_000 })
      ).json<BrokerResponse>();
      if (response.error !== undefined) throw new Error(JSON.stringify(response.error));
      return response;
    } finally {
      await connection.close();
    }
  };
  const create = () => ask(`STREAM.CREATE.${STREAM}`, { name: STREAM, subjects: [SUBJECT], storage: 'file' });
  await create();
  const stored = async () => (await ask(`STREAM.INFO.${STREAM}`)).state!.messages;
  const kept: string[] = [];
  const readAll = async () => {
    const lines: string[] = [];
    for (let seq = 1; seq <= (await stored()); seq++) {
      const { message } = await ask(`STREAM.MSG.GET.${STREAM}`, { seq });
      lines.push(
        ...Buffer.from(message!.data, 'base64')
          .toString()
          .split('\n')
          .filter((line) => line !== ''),
      );
    }
    return [...kept, ...lines];
  };
  return {
    stored,
    open: () => createJetStreamSink(readSinkUrl(`${url}/${SUBJECT}`) as Extract<SinkSettings, { kind: 'nats' }>),
    received: readAll,
    async break(how: SinkFault) {
      if (how === 'down') return server.kill();
      // Without a stream no one confirms.
      kept.push(...(await readAll()));
      await ask(`STREAM.DELETE.${STREAM}`);
    },
    async repair() {
      await server.start().catch(() => undefined);
      await create().catch(() => undefined);
    },
    close: () => server.close(),
  };
}

interface BrokerResponse {
  readonly error?: object;
  readonly state?: { readonly messages: number };
  readonly message?: { readonly data: string };
}

sinkContract('JetStream', startJetStream, ['down', 'rejects']);

test('NOD-05-partial a message that is sent again is stored once, and a missing stream is named', async () => {
  const target = await startJetStream();
  const sink = target.open();
  const message = [{ id: 'same', lines: '{}\n' }];
  await sink.send(message, AbortSignal.timeout(20_000));
  await sink.send(message, AbortSignal.timeout(20_000));
  expect(await target.stored()).toBe(1);
  await target.break('rejects');
  await expect(sink.send(message, AbortSignal.timeout(20_000))).rejects.toThrow(
    'No stream of JetStream takes the subject fleet.readings.',
  );
  await sink.close();
  await target.close();
});

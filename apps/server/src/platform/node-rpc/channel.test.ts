import { createSecretKey, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { z } from 'zod';
import type { MasterKey } from '../../kernel/sealing.ts';
import { createLogBook, silentLog } from '../../testing/log.ts';
import { until } from '../../testing/process.ts';
import { BusHub, createInProcessBus } from '../adapters/bus/in-process.ts';
import type { NodeBus } from '../ports/node-bus.ts';
import { createNodeChannel, subjectPrefix, subjectPrefixes, type NodeChannel } from './channel.ts';

const key = () => createSecretKey(randomBytes(32));
const shape = z.object({ text: z.string() });

interface Open {
  readonly bus: NodeBus;
  readonly channel: NodeChannel;
}

const open = (hub: BusHub, masterKey: MasterKey, log = silentLog, now: () => number = Date.now): Open => {
  const bus = createInProcessBus(silentLog, hub);
  return { bus, channel: createNodeChannel({ bus, masterKey, log, now }) };
};

test('messages and answers arrive, and nothing of them can be read on the bus', async () => {
  const [hub, masterKey] = [new BusHub(), key()];
  const [a, b, other] = [open(hub, masterKey), open(hub, masterKey), createInProcessBus(silentLog, hub)];
  const seen: string[] = [];
  for (const subject of ['call', 'news'])
    other.subscribe(subject, (message) => void seen.push(Buffer.from(message).toString('latin1')));
  const received: string[] = [];
  b.channel.subscribe('call', shape, async ({ text }) => ({ text: `${text} done` }));
  b.channel.subscribe('news', shape, ({ text }) => void received.push(text));
  expect(await a.channel.request('call', { text: 's3cret' }, shape, 5_000)).toEqual({ text: 's3cret done' });
  a.channel.publish('news', { text: 's3cret' });
  await until(() => received.length === 1 && seen.length === 2);
  expect(received).toEqual(['s3cret']);
  expect(seen.join('')).not.toContain('s3cret');
  expect(subjectPrefix(masterKey)).toMatch(/^highline\.[0-9a-f]{16}$/u);
  expect(subjectPrefix(masterKey)).not.toBe(subjectPrefix(key()));
});

test('while the master key is replaced, processes with both keys read messages of either, and send with the active one', async () => {
  const [hub, former, next] = [new BusHub(), key(), key()];
  const keyring = { active: former, known: [next, former] };
  const [both, old] = [open(hub, keyring), open(hub, former)];
  for (const { channel } of [both, old]) channel.subscribe('call', shape, async ({ text }) => ({ text: `${text} done` }));
  const ask = ({ channel }: Open) => channel.request('call', { text: 'x' }, shape, 5_000);
  expect([await ask(both), await ask(old)]).toEqual([{ text: 'x done' }, { text: 'x done' }]);
  const { active, all } = subjectPrefixes(keyring);
  expect([active(), new Set(all())]).toEqual([subjectPrefix(former), new Set([former, next].map(subjectPrefix))]);
  await old.bus.close();
  keyring.active = next;
  expect(await ask(open(hub, next))).toEqual({ text: 'x done' });
  expect(active()).toBe(subjectPrefix(next));
});

test('messages that are forged, changed, moved to another subject or too large are ignored, with one log line', async () => {
  const [hub, masterKey] = [new BusHub(), key()];
  const { log, sentences } = createLogBook();
  const [a, outsider] = [open(hub, masterKey), open(hub, key())];
  const b = open(hub, masterKey, log);
  const received: string[] = [];
  for (const subject of ['news', 'other'])
    b.channel.subscribe(subject, shape, ({ text }) => void received.push(`${subject} ${text}`));
  let sealed: Uint8Array = new Uint8Array();
  outsider.bus.subscribe('news', (message) => void (sealed = message));
  a.channel.publish('news', { text: 'first' });
  await until(() => received.length === 1);
  const changed = Uint8Array.from(sealed, (byte, index) => (index === 20 ? byte ^ 1 : byte));
  for (const forged of [changed, new Uint8Array(), Buffer.from('{"id":"","value":{}}'), randomBytes(600_000)])
    outsider.bus.publish('news', forged);
  outsider.bus.publish('other', sealed);
  outsider.channel.publish('news', { text: 'of another key' });
  a.channel.publish('news', { sentence: 'of another version' });
  a.channel.publish('news', { text: 'last' });
  await until(() => received.includes('news last'));
  expect(received).toEqual(['news first', 'news last']);
  expect(sentences).toHaveLength(1);
  expect(() => a.channel.publish('news', { text: 'x'.repeat(600_000) })).toThrow(/too large/u);
});

test('an answer to one question is none to another', async () => {
  const [hub, masterKey] = [new BusHub(), key()];
  const [a, b, relay] = [open(hub, masterKey), open(hub, masterKey), createInProcessBus(silentLog, hub)];
  const end = b.channel.subscribe('call', shape, async ({ text }) => ({ text }));
  let stored: Promise<Uint8Array> | undefined;
  relay.subscribe('call', (message) => (stored ??= relay.request('call', message, 5_000)));
  expect(await a.channel.request('call', { text: 'one' }, shape, 5_000)).toEqual({ text: 'one' });
  await stored;
  end();
  await expect(a.channel.request('call', { text: 'two' }, shape, 5_000)).rejects.toMatchObject({ kind: 'timeout' });
});

test('a message that was recorded and sent again does nothing: at once, later, at a process that started meanwhile', async () => {
  const [hub, masterKey] = [new BusHub(), key()];
  let time = Date.now();
  const { log, sentences } = createLogBook();
  const [a, b, outsider] = [open(hub, masterKey), open(hub, masterKey, log, () => time), createInProcessBus(silentLog, hub)];
  const received: string[] = [];
  const receive = (subject: string, by = b) =>
    by.channel.subscribe(subject, shape, ({ text }) => {
      received.push(`${subject} ${text}`);
      return { text };
    });
  for (const subject of ['disconnect', 'call']) receive(subject);
  const recorded = new Map<string, Uint8Array>();
  for (const subject of ['disconnect', 'call']) outsider.subscribe(subject, (message) => void recorded.set(subject, message));
  a.channel.publish('disconnect', { text: 'once' });
  expect(await a.channel.request('call', { text: 'once' }, shape, 5_000)).toEqual({ text: 'once' });
  await until(() => recorded.size === 2 && received.length === 2);
  const replay = async () => {
    for (const [subject, message] of recorded) outsider.publish(subject, message);
    a.channel.publish('disconnect', { text: 'mark' });
    await until(() => received.at(-1) === 'disconnect mark');
    return received.splice(0).filter((one) => one !== 'disconnect mark');
  };
  expect(received.splice(0).toSorted()).toEqual(['call once', 'disconnect once']);
  expect(await replay()).toEqual([]);
  // A process that started since then has not seen the ids.
  time += 1_000;
  const started = open(hub, masterKey, silentLog, () => time);
  receive('call', started);
  expect(await replay()).toEqual([]);
  for (const after of [30_000, 60_000, 86_400_000]) {
    time += after;
    for (const [subject, message] of recorded) outsider.publish(subject, message);
  }
  const later = open(hub, masterKey, silentLog, () => time);
  later.channel.publish('disconnect', { text: 'end' });
  await until(() => received.includes('disconnect end'));
  expect(received).toEqual(['disconnect end']);
  expect(sentences).toHaveLength(1);
});

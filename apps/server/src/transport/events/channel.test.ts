import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { silentLog } from '../../testing/log.ts';
import { createChannel } from './channel.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A response whose browser reads or does not. */
function createResponse() {
  const written: string[] = [];
  const result = {
    writableLength: 0,
    writableEnded: false,
    destroyed: false,
    write(text: string) {
      written.push(text);
    },
    end() {
      result.writableEnded = true;
    },
    destroy() {
      result.destroyed = true;
    },
  };
  return { result, written, response: result as unknown as ServerResponse };
}

const position = () => 'here.1';

test('many changes are sent four times a second, each event naming everything since the previous one', () => {
  const { written, response } = createResponse();
  const channel = createChannel(response, { log: silentLog, organizationId: null, position });
  const named: string[] = [];
  for (let milliseconds = 0; milliseconds < 1_000; milliseconds += 50) {
    channel.gather('devices', [`d${milliseconds}`]);
    named.push(`d${milliseconds}`);
    vi.advanceTimersByTime(50);
  }
  vi.advanceTimersByTime(250);
  expect(written.length).toBeLessThanOrEqual(5);
  const sent = written.flatMap((text) => (JSON.parse(/^data: (.*)$/mu.exec(text)![1]!) as { ids: string[] }).ids);
  expect(sent).toEqual(named);
});

test('after a quiet time a change waits only for those committed with it, and only the last event carries a cursor', () => {
  const { written, response } = createResponse();
  const channel = createChannel(response, { log: silentLog, organizationId: 'o', position });
  channel.gather('devices', ['a']);
  channel.gather('groups', []);
  channel.gather('devices', ['b', 'a']);
  vi.advanceTimersByTime(20);
  expect(written).toEqual([
    'event: devices\ndata: {"topic":"devices","ids":["a","b"],"org":"o"}\n\n' +
      'id: here.1\nevent: groups\ndata: {"topic":"groups","ids":[],"org":"o"}\n\n',
  ]);
});

test('a topic without ids, or with more than fifty, is refetched whole', () => {
  const { written, response } = createResponse();
  const channel = createChannel(response, { log: silentLog, organizationId: null, position: () => undefined });
  for (let id = 0; id < 51; id += 1) channel.gather('devices', [`d${id}`]);
  channel.gather('groups', []);
  channel.gather('groups', ['g']);
  vi.advanceTimersByTime(20);
  expect(written.join('')).toBe(
    'event: devices\ndata: {"topic":"devices","ids":[],"org":null}\n\nevent: groups\ndata: {"topic":"groups","ids":[],"org":null}\n\n',
  );
});

test('a heartbeat carries the cursor only while nothing waits to be sent', () => {
  const { written, response } = createResponse();
  const channel = createChannel(response, { log: silentLog, organizationId: null, position });
  channel.beat();
  channel.gather('devices', ['a']);
  channel.beat();
  const event = 'event: beat\ndata: {"topic":"beat","ids":[],"org":null}\n\n';
  expect(written).toEqual([`id: here.1\n${event}`, event]);
});

test('a browser that does not read is disconnected instead of buffered', () => {
  const { result, written, response } = createResponse();
  const channel = createChannel(response, { log: silentLog, organizationId: null, position });
  result.writableLength = 256 * 1024;
  channel.beat();
  expect(result.destroyed).toBe(false);
  result.writableLength += 1;
  channel.beat();
  expect(result.destroyed).toBe(true);
  channel.gather('devices', ['a']);
  vi.advanceTimersByTime(250);
  channel.close();
  expect(written).toHaveLength(2);
});

test('nothing is sent after the end', () => {
  const { result, written, response } = createResponse();
  const channel = createChannel(response, { log: silentLog, organizationId: null, position });
  channel.gather('devices', ['a']);
  channel.finish();
  vi.advanceTimersByTime(1_000);
  channel.close(5_000);
  channel.beat();
  expect(written).toEqual(['event: ended\ndata: {"topic":"ended","ids":[],"org":null}\n\n']);
  expect(result.writableEnded).toBe(true);
});

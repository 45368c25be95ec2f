import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import { silentLog } from '../testing/log.ts';
import { createEngine, type Engine, type EngineRoom, type PassEnd } from './engine.ts';

type End = PassEnd<string, string>;
type Room = EngineRoom<string, string, End>;

const NOTHING: End = { actions: [], postponed: [], again: undefined };
const clock: Clock = { now: () => new Date() };
let engines: Engine<string>[];

beforeEach(() => {
  vi.useFakeTimers();
  engines = [];
});
afterEach(async () => {
  await Promise.all(engines.map((engine) => engine.stop()));
  vi.useRealTimers();
});

/** An engine whose passes end as `ends` say, one after the other, and then with nothing to do. */
function open(ends: readonly (End | Error | Promise<End>)[] = [], more: Partial<Room> = {}, log: Log = silentLog) {
  const left = [...ends];
  const passes: (readonly string[])[] = [];
  const pass = async (news: readonly string[]): Promise<End> => {
    passes.push(news);
    const end = await (left.shift() ?? NOTHING);
    if (end instanceof Error) throw end;
    return end;
  };
  const room: Room = {
    name: 'test',
    trouble: 'It failed.',
    pass,
    ask: async () => undefined,
    wakeForgotten: async () => undefined,
    ...more,
  };
  const engine = createEngine({ clock, log }, room);
  engines.push(engine);
  return { engine, passes };
}

/** News have gathered, and their pass is over. */
const settled = () => vi.advanceTimersByTimeAsync(60);

test('news that come together are looked at in one pass, and whoever told them is answered after it', async () => {
  const { promise, resolve } = Promise.withResolvers<End>();
  const { engine, passes } = open([promise]);
  const answered = vi.fn();
  engine.add('a');
  void engine.hear('b').then(answered);
  expect(engine.waiting).toBe(2);
  await settled();
  expect(passes).toEqual([['a', 'b']]);
  expect(answered).not.toHaveBeenCalled();
  resolve(NOTHING);
  await settled();
  expect(answered).toHaveBeenCalledOnce();
  expect(passes).toHaveLength(1);
});

test('no pass begins while one is under way; what came meanwhile goes into the next', async () => {
  const { promise, resolve } = Promise.withResolvers<End>();
  const { engine, passes } = open([promise]);
  engine.add('a');
  await settled();
  engine.add('b');
  await vi.advanceTimersByTimeAsync(5_000);
  expect(passes).toEqual([['a']]);
  resolve(NOTHING);
  await settled();
  expect(passes).toEqual([['a'], ['b']]);
});

test('news about a router that somebody else holds come again, before what is newer, and are not answered before', async () => {
  const { engine, passes } = open([{ ...NOTHING, postponed: ['held'], again: 'soon' }]);
  const answered = vi.fn();
  void engine.hear('held').then(answered);
  await settled();
  engine.add('new');
  expect(answered).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(500);
  expect(passes).toEqual([['held'], ['held', 'new']]);
  expect(answered).toHaveBeenCalledOnce();
});

test('a pass that fails leaves its news unanswered, says so, and is followed by another', async () => {
  const warn = vi.fn();
  const { engine, passes } = open([new Error('no database')], {}, { ...silentLog, warn });
  const refused = vi.fn();
  engine.hear('a').catch(refused);
  await settled();
  expect(refused).toHaveBeenCalledWith(new Error('no database'));
  expect(warn).toHaveBeenCalledWith({ err: new Error('no database') }, 'It failed.');
  await vi.advanceTimersByTimeAsync(500);
  expect(passes).toEqual([['a'], []]);
});

test('what is asked of a router once it is committed, and what it answers, is news of the next pass', async () => {
  const ask = vi.fn(async (action: string) => (action === 'silent' ? undefined : `${action} answered`));
  const { engine, passes } = open([{ ...NOTHING, actions: ['download', 'silent'] }], { ask });
  engine.wake();
  await settled();
  await settled();
  expect(ask.mock.calls).toEqual([['download'], ['silent']]);
  expect(passes).toEqual([[], ['download answered']]);
});

test('whoever told news is answered also when what follows their pass fails, and another pass comes', async () => {
  const follow = vi.fn(async () => Promise.reject(new Error('later')));
  const { engine, passes } = open([], { follow });
  const answered = engine.hear('a');
  await settled();
  await answered;
  expect(follow).toHaveBeenCalledOnce();
  await vi.advanceTimersByTimeAsync(500);
  expect(passes).toEqual([['a'], []]);
});

test('more news than one pass takes, and more work than one pass does, are taken up at once', async () => {
  const { engine, passes } = open([NOTHING, { ...NOTHING, again: 'now' }]);
  for (let count = 0; count < 1_500; count++) engine.add(`n${count}`);
  await settled();
  expect(passes.map((news) => news.length)).toEqual([1_000, 500, 0]);
});

test('what is due before the next sweep is looked at when it is due', async () => {
  const inOneSecond = new Date(Date.now() + 1_000);
  const { engine, passes } = open([{ ...NOTHING, nextDue: inOneSecond }]);
  engine.wake();
  await vi.advanceTimersByTimeAsync(900);
  expect(passes).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(200);
  expect(passes).toHaveLength(2);
});

test('every sweep wakes it, and every tenth looks for what was forgotten', async () => {
  const wakeForgotten = vi.fn(async () => undefined);
  const { engine, passes } = open([], { wakeForgotten });
  for (let sweep = 0; sweep < 11; sweep++) {
    await engine.job.run(new Date());
    await settled();
  }
  expect(passes).toHaveLength(11);
  expect(wakeForgotten).toHaveBeenCalledTimes(2);
});

test('stopped, it ends the pass under way, leaves the rest unanswered and begins no other', async () => {
  const { promise, resolve } = Promise.withResolvers<End>();
  const { engine, passes } = open([promise]);
  const answered = engine.hear('under way');
  await settled();
  const refused = vi.fn();
  engine.hear('too late').catch(refused);
  const stopped = engine.stop();
  resolve({ ...NOTHING, again: 'now' });
  await Promise.all([stopped, answered]);
  expect(refused).toHaveBeenCalledWith(new Error('The server is stopping.'));
  engine.wake();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(passes).toEqual([['under way']]);
});

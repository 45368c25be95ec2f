import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import { silentLog } from '../../testing/log.ts';
import { createEngine, type Engine, type EngineModule, type PassEnd } from './engine.ts';

type End = PassEnd<string, string>;
type Module = EngineModule<string, string, End>;

const NOTHING: End = { requests: [], postponed: [], again: undefined };
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

/** An engine whose passes end with `ends`, in order, and then with nothing to do. */
function open(ends: readonly (End | Error | Promise<End>)[] = [], more: Partial<Module> = {}, log: Log = silentLog) {
  const left = [...ends];
  const passes: (readonly string[])[] = [];
  const pass = async (events: readonly string[]): Promise<End> => {
    passes.push(events);
    const end = await (left.shift() ?? NOTHING);
    if (end instanceof Error) throw end;
    return end;
  };
  const module: Module = {
    name: 'test',
    trouble: 'It failed.',
    pass,
    execute: async () => undefined,
    resumeUnfinished: async () => undefined,
    ...more,
  };
  const engine = createEngine({ clock, log }, module);
  engines.push(engine);
  return { engine, passes };
}

/** Wait until events were collected and their pass has ended. */
const idle = () => vi.advanceTimersByTimeAsync(60);

test('concurrent events are processed in one pass, and their senders are answered after it', async () => {
  const { promise, resolve } = Promise.withResolvers<End>();
  const { engine, passes } = open([promise]);
  const responded = vi.fn();
  engine.add('a');
  void engine.handle('b').then(responded);
  expect(engine.waiting).toBe(2);
  await idle();
  expect(passes).toEqual([['a', 'b']]);
  expect(responded).not.toHaveBeenCalled();
  resolve(NOTHING);
  await idle();
  expect(responded).toHaveBeenCalledOnce();
  expect(passes).toHaveLength(1);
});

test('no pass starts while one is running; later events go into the next', async () => {
  const { promise, resolve } = Promise.withResolvers<End>();
  const { engine, passes } = open([promise]);
  engine.add('a');
  await idle();
  engine.add('b');
  await vi.advanceTimersByTimeAsync(5_000);
  expect(passes).toEqual([['a']]);
  resolve(NOTHING);
  // The most that events are collected after a long pass.
  await vi.advanceTimersByTimeAsync(250);
  expect(passes).toEqual([['a'], ['b']]);
});

test('events about a locked router are processed again, before newer ones, and are answered only then', async () => {
  const { engine, passes } = open([{ ...NOTHING, postponed: ['held'], again: 'soon' }]);
  const responded = vi.fn();
  void engine.handle('held').then(responded);
  await idle();
  engine.add('new');
  expect(responded).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(500);
  expect(passes).toEqual([['held'], ['held', 'new']]);
  expect(responded).toHaveBeenCalledOnce();
});

test('a failed pass leaves its events unanswered, logs the error, and is followed by another', async () => {
  const warn = vi.fn();
  const { engine, passes } = open([new Error('no database')], {}, { ...silentLog, warn });
  const rejected = vi.fn();
  engine.handle('a').catch(rejected);
  await idle();
  expect(rejected).toHaveBeenCalledWith(new Error('no database'));
  expect(warn).toHaveBeenCalledWith({ err: new Error('no database') }, 'It failed.');
  await vi.advanceTimersByTimeAsync(500);
  expect(passes).toEqual([['a'], []]);
});

/** What PostgreSQL says of a row that violates a constraint. */
const violation = Object.assign(new Error('violates a constraint'), { code: '23514' });

test('GRP-10-partial a pass that the database rejects is repeated in parts: the event that it rejects alone is dropped, and holds up no other', async () => {
  const warn = vi.fn();
  const committed: string[] = [];
  const { engine } = open(
    [],
    {
      pass: async (events) => {
        if (events.includes('bad')) throw violation;
        committed.push(...events);
        return NOTHING;
      },
    },
    { ...silentLog, warn },
  );
  const outcomes = Promise.allSettled(['a', 'b', 'bad', 'c', 'd'].map((event) => engine.handle(event)));
  await idle();
  expect((await outcomes).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
  expect(committed).toEqual(['a', 'b', 'c', 'd']);
  expect(warn.mock.calls).toEqual([[{ err: violation }, 'It failed.']]);
});

test('a pass that is rejected for what is due is not repeated for each event', async () => {
  const { engine, passes } = open([violation, violation]);
  const outcomes = Promise.allSettled([engine.handle('a'), engine.handle('b')]);
  await idle();
  expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(passes).toEqual([['a', 'b'], []]);
});

test('a pass whose follow-up the database rejects is committed: it is not repeated', async () => {
  const { engine, passes } = open([], { follow: async () => Promise.reject(violation) });
  const outcomes = Promise.all([engine.handle('a'), engine.handle('b')]);
  await idle();
  await outcomes;
  expect(passes).toEqual([['a', 'b']]);
});

test('a request sent to a router after the commit, and its answer, are events of the next pass', async () => {
  const execute = vi.fn(async (request: string) => (request === 'silent' ? undefined : `${request} answered`));
  const { engine, passes } = open([{ ...NOTHING, requests: ['download', 'silent'] }], { execute });
  engine.wake();
  await idle();
  await idle();
  expect(execute.mock.calls).toEqual([['download'], ['silent']]);
  expect(passes).toEqual([[], ['download answered']]);
});

test('the sender of an event is answered even when the follow-up of its pass fails, and another pass runs', async () => {
  const follow = vi.fn(async () => Promise.reject(new Error('later')));
  const { engine, passes } = open([], { follow });
  const responded = engine.handle('a');
  await idle();
  await responded;
  expect(follow).toHaveBeenCalledOnce();
  await vi.advanceTimersByTimeAsync(500);
  expect(passes).toEqual([['a'], []]);
});

test('more events than one pass takes, and more work than one pass does, are processed at once', async () => {
  const { engine, passes } = open([NOTHING, { ...NOTHING, again: 'now' }]);
  for (let count = 0; count < 1_500; count++) engine.add(`n${count}`);
  await idle();
  expect(passes.map((events) => events.length)).toEqual([1_000, 500, 0]);
});

test('GRP-10-partial events are collected as long as the last pass took, at most 250 ms', async () => {
  const long = (ms: number) =>
    new Promise<End>((resolve) => {
      setTimeout(() => resolve(NOTHING), ms);
    });
  const { engine, passes } = open();
  const times: number[] = [];
  const { engine: busy } = open([], {
    pass: async () => {
      times.push(performance.now());
      return long(times.length === 1 ? 150 : 2_000);
    },
  });
  engine.add('a');
  busy.add('a');
  await vi.advanceTimersByTimeAsync(100);
  engine.add('b');
  busy.add('b');
  await vi.advanceTimersByTimeAsync(300);
  busy.add('c');
  // Until the third pass has ended.
  await vi.advanceTimersByTimeAsync(5_000);
  const [first, second, third] = times as [number, number, number];
  // Each time: how long the pass took, and how long events were collected after it.
  expect(second - first).toBe(150 + 150);
  expect(third - second).toBe(2_000 + 250);
  expect(passes).toEqual([['a'], ['b']]);
});

test('work that is due before the next sweep is processed when it is due', async () => {
  const inOneSecond = new Date(Date.now() + 1_000);
  const { engine, passes } = open([{ ...NOTHING, nextDue: inOneSecond }]);
  engine.wake();
  await vi.advanceTimersByTimeAsync(900);
  expect(passes).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(200);
  expect(passes).toHaveLength(2);
});

test('every sweep wakes it, and every tenth looks for forgotten work', async () => {
  const resumeUnfinished = vi.fn(async () => undefined);
  const { engine, passes } = open([], { resumeUnfinished });
  for (let sweep = 0; sweep < 11; sweep++) {
    await engine.job.run(new Date());
    await idle();
  }
  expect(passes).toHaveLength(11);
  expect(resumeUnfinished).toHaveBeenCalledTimes(2);
});

test('stopped, it ends the running pass, leaves the rest unanswered and starts no other', async () => {
  const { promise, resolve } = Promise.withResolvers<End>();
  const { engine, passes } = open([promise]);
  const responded = engine.handle('in progress');
  await idle();
  const rejected = vi.fn();
  engine.handle('too late').catch(rejected);
  const stopped = engine.stop();
  resolve({ ...NOTHING, again: 'now' });
  await Promise.all([stopped, responded]);
  expect(rejected).toHaveBeenCalledWith(new Error('The server is stopping.'));
  engine.wake();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(passes).toEqual([['in progress']]);
});

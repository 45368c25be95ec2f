import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ReadingSink, SinkMessage } from '../platform/ports/reading-sink.ts';

/** What a sink leads to in a test: the real thing, which can be broken. */
export interface SinkTarget {
  /** A sink that sends there. */
  open(): ReadingSink;
  /** Lines that the receiver has confirmed, in the order of their arrival; repeated ones as often as they arrived. */
  received(): Promise<readonly string[]>;
  /** It confirms nothing until it is repaired: it is gone, or answers errors. */
  break(how: SinkFault): Promise<void>;
  repair(): Promise<void>;
  close(): Promise<void>;
}

/** `down`: nothing listens; `rejects`: it answers with an error; `silent`: it never answers. */
export type SinkFault = 'down' | 'rejects' | 'silent';

const messages = (from: number, count: number): SinkMessage[] =>
  Array.from({ length: count }, (_, index) => ({
    id: `batch-${from + index}`,
    lines: `{"n":${from + index},"part":1}\n{"n":${from + index},"part":2}\n`,
  }));
const linesOf = (sent: readonly SinkMessage[]) =>
  sent.flatMap(({ lines }) =>
    lines
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => line),
  );

/** Contract tests of every sink. @param start starts the receiver */
export function sinkContract(name: string, start: () => Promise<SinkTarget>, faults: readonly SinkFault[]): void {
  describe(`a telemetry sink: ${name}`, () => {
    let target: SinkTarget;
    let sink: ReadingSink;
    beforeEach(async () => {
      target = await start();
      sink = target.open();
    });
    afterEach(async () => {
      await sink.close();
      await target.close();
    });
    const send = (sent: readonly SinkMessage[], ms = 20_000) => sink.send(sent, AbortSignal.timeout(ms));

    test('NOD-05-partial every line has arrived when send resolves', async () => {
      const sent = messages(0, 40);
      await send(sent);
      await send(messages(40, 1));
      expect((await target.received()).toSorted()).toEqual([...linesOf(sent), ...linesOf(messages(40, 1))].toSorted());
    });

    test.each([...faults])(
      'NOD-05-partial a receiver that is %s confirms nothing, and takes everything once it works',
      async (how) => {
        await send(messages(0, 1));
        await target.break(how);
        await expect(send(messages(1, 2), how === 'silent' ? 500 : 20_000)).rejects.toThrow(/./u);
        await target.repair();
        await send(messages(1, 2));
        expect(new Set(await target.received())).toEqual(new Set(linesOf(messages(0, 3))));
      },
    );
  });
}

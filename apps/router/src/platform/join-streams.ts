import type { Duplex } from 'node:stream';

/**
 * Forward bytes in both directions. What one end has sent before it closes still reaches the other, however slowly that reads; an end that
 * breaks off takes the other with it.
 */
export function joinStreams(one: Duplex, other: Duplex): void {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    from.pipe(to);
    from.on('error', () => from.destroy());
    from.once('close', () => {
      if (from.readableEnded) to.end(() => to.destroy());
      else to.destroy();
    });
  }
}

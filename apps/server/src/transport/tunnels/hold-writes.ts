/* oxlint-disable no-underscore-dangle -- the name that streams give to it */
import type { Duplex, Writable } from 'node:stream';

/**
 * Make the writes of an SSH channel wait while the stream below it is full. By itself ssh2 waits only for the window that the other side
 * announces, up to 4 GiB (RFC 4254, 5.2): everything within it would be buffered here.
 */
export function holdWrites(channel: Duplex, below: Writable): void {
  const write = channel._write.bind(channel);
  channel._write = (chunk, encoding, done) =>
    write(chunk, encoding, (error) => {
      if (below.writableNeedDrain) below.once('drain', () => done(error));
      else done(error);
    });
}

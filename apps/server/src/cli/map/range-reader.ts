import { CommandFault } from '../command.ts';

/** Reads parts of a file at a web server. */
export interface RangeReader {
  /** @throws CommandFault when the server has no such part, or another file by now */
  read(offset: number, length: number): Promise<Buffer>;
}

/** Attempts of a part, as lines of vehicles and offices break. */
const TRIES = 4;

/** @param address HTTP or HTTPS, of a file whose server answers ranges */
export function createRangeReader(address: string): RangeReader {
  let version: string | null | undefined;

  const readOnce = async (offset: number, length: number): Promise<Buffer> => {
    const response = await fetch(address, { headers: { range: `bytes=${offset}-${offset + length - 1}` } });
    if (response.status === 206) {
      const etag = response.headers.get('etag');
      version ??= etag;
      if (etag !== version) throw new CommandFault(`${address} was replaced meanwhile. Start again.`);
      return Buffer.from(await response.arrayBuffer());
    }
    await response.body?.cancel();
    if (response.status === 416) throw new CommandFault(`${address} ends before byte ${offset}: it is not complete.`);
    if (response.ok)
      throw new CommandFault(`The server of ${address} does not answer ranges (HTTP ${response.status} instead of 206).`);
    throw new CommandFault(`${address} answered HTTP ${response.status}.`);
  };

  return {
    async read(offset, length) {
      for (let tries = 1; ; tries++) {
        try {
          const part = await readOnce(offset, length);
          if (part.length === length) return part;
          if (tries === TRIES)
            throw new CommandFault(`${address} is not complete: ${part.length} of ${length} bytes at ${offset}.`);
        } catch (error) {
          if (error instanceof CommandFault) throw error;
          if (tries === TRIES) throw new CommandFault(`${address} cannot be read: ${(error as Error).message}`);
        }
      }
    },
  };
}

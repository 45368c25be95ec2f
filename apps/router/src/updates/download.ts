import type { Flash, FlashArea } from '../platform/flash.ts';

/** What to fetch, and where it goes. */
export type FileRequest = {
  url: string;
  /** HTTP Basic; empty = none. */
  username: string;
  password: string;
  /** Bytes. */
  size: number;
  area: FlashArea;
};

/** It makes no sense to try again; the message is for the controller's operator and begins with a stage. */
export class UpdateFault extends Error {}

class OtherPart extends Error {}

/** The storage refused; told apart from the network, which may come back. */
class FlashFault extends UpdateFault {}

/**
 * Fetch what is missing of a file, going on where an earlier try ended (RFC 9110 Range). Reads and writes piece by piece.
 * @param progressed called with the bytes there are, after each piece
 * @returns when all of it is there
 * @throws UpdateFault for what another try cannot mend; any other error is the network's
 */
export async function fetchMissing(
  file: FileRequest,
  flash: Flash,
  signal: AbortSignal,
  progressed: (bytes: number) => void,
): Promise<void> {
  let have = await flash.size(file.area);
  if (have > file.size) have = await startOver(flash, file.area);
  if (have === file.size) return;
  const response = await fetch(file.url, { headers: headersOf(file, have), signal, redirect: 'error' });
  try {
    assertServed(response, have);
  } catch (error) {
    await response.body?.cancel();
    // It has another file than before, or serves it from elsewhere: what is there is of no use.
    if (error instanceof OtherPart) await startOver(flash, file.area);
    throw error;
  }
  if (have > 0 && response.status === 200) have = await startOver(flash, file.area);
  for await (const piece of response.body ?? []) {
    const bytes = piece as Uint8Array;
    if (have + bytes.length > file.size)
      throw new UpdateFault(`download-failed: more than the announced ${file.size} bytes came`);
    await write(flash, file.area, bytes);
    have += bytes.length;
    progressed(have);
  }
  if (have < file.size) throw new Error(`the connection ended after ${have} of ${file.size} bytes`);
}

async function startOver(flash: Flash, area: FlashArea): Promise<0> {
  await flash.erase(area);
  return 0;
}

function headersOf({ username, password }: FileRequest, have: number): Record<string, string> {
  const credentials = Buffer.from(`${username}:${password}`).toString('base64');
  return {
    ...(username === '' ? {} : { authorization: `Basic ${credentials}` }),
    ...(have > 0 ? { range: `bytes=${have}-` } : {}),
  };
}

/** @throws UpdateFault for an answer that will not change; Error for one that may */
function assertServed({ status, headers }: Response, have: number): void {
  if (status === 200) return;
  const start = /^bytes (\d+)-/u.exec(headers.get('content-range') ?? '')?.[1];
  if (status === 206 && have > 0 && Number(start) === have) return;
  if (status === 416 || status === 206) throw new OtherPart('the server has another part of the file than was asked for');
  const message = `the server answered ${status}`;
  if (status >= 400 && status < 500 && status !== 408 && status !== 429) throw new UpdateFault(`download-failed: ${message}`);
  throw new Error(message);
}

async function write(flash: Flash, area: FlashArea, bytes: Uint8Array): Promise<void> {
  try {
    await flash.append(area, bytes);
  } catch (error) {
    throw new FlashFault(`installation-failed: the flash could not be written (${String(error)})`, { cause: error });
  }
}

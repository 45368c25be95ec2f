import { MOST_REDIRECTS, redirectTarget } from '../link/redirect.ts';
import type { Flash, FlashArea } from '../platform/flash.ts';

/** The file to download and its target. */
export type FileRequest = {
  url: string;
  /** HTTP Basic; empty = none. */
  username: string;
  password: string;
  /** Bytes. */
  size: number;
  area: FlashArea;
};

/** A retry is useless; the message is for the controller's operator and begins with a stage. */
export class UpdateFault extends Error {}

/** The server does not serve the file at this address: it may have expired, until the controller sends the command again. */
export class AddressFault extends UpdateFault {}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** What a server says to an address that it does not know, or to credentials that it does not know. */
const UNKNOWN: ReadonlySet<number> = new Set([401, 403, 404]);

class OtherPart extends Error {}

/** A storage error, distinguished from network errors, which may be temporary. */
class FlashFault extends UpdateFault {}

/**
 * Download the missing part of a file, continuing an earlier attempt (RFC 9110 Range). Reads and writes in chunks.
 * @param progressed called with the stored bytes after each chunk
 * @returns when the file is complete and survives a power cut
 * @throws UpdateFault for errors that a retry cannot fix; any other error is the network's
 */
export async function fetchMissing(
  file: FileRequest,
  flash: Flash,
  signal: AbortSignal,
  progressed: (bytes: number) => void,
): Promise<void> {
  let have = await flash.size(file.area);
  if (have > file.size) have = startOver(flash, file.area);
  if (have === file.size) return onFlash(() => flash.sync(file.area));
  const { response, isRedirected } = await request(file, have, signal);
  try {
    assertServed(response, have, isRedirected);
  } catch (error) {
    await response.body?.cancel();
    // The server has another file than before, or serves it from elsewhere: discard what is stored.
    if (error instanceof OtherPart) startOver(flash, file.area);
    throw error;
  }
  if (have > 0 && response.status === 200) have = startOver(flash, file.area);
  for await (const piece of response.body ?? []) {
    const bytes = piece as Uint8Array;
    if (have + bytes.length > file.size)
      throw new UpdateFault(`download-failed: more than the announced ${file.size} bytes came`);
    await onFlash(() => flash.append(file.area, bytes));
    have += bytes.length;
    progressed(have);
  }
  if (have < file.size) throw new Error(`the connection ended after ${have} of ${file.size} bytes`);
  await onFlash(() => flash.sync(file.area));
}

/** Where redirects lead, such as to the store of the cloud. The credentials are for the named server only. */
async function request(
  file: FileRequest,
  have: number,
  signal: AbortSignal,
): Promise<{ response: Response; isRedirected: boolean }> {
  let url = new URL(file.url);
  let headers = headersOf(file, have);
  for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
    const response = await fetch(url, { headers, signal, redirect: 'manual' });
    if (!REDIRECTS.has(response.status)) return { response, isRedirected: redirects > 0 };
    await response.body?.cancel();
    const to = redirectTarget(response.headers.get('location'), url);
    if (to.origin !== url.origin) headers = headersOf({ ...file, username: '' }, have);
    url = to;
  }
  throw new Error(`more than ${MOST_REDIRECTS} redirects`);
}

function startOver(flash: Flash, area: FlashArea): 0 {
  flash.erase(area);
  return 0;
}

function headersOf({ username, password }: FileRequest, have: number): Record<string, string> {
  const credentials = Buffer.from(`${username}:${password}`).toString('base64');
  return {
    ...(username === '' ? {} : { authorization: `Basic ${credentials}` }),
    ...(have > 0 ? { range: `bytes=${have}-` } : {}),
  };
}

/** @throws UpdateFault for a response that will not change; Error for a temporary one */
function assertServed({ status, headers }: Response, have: number, isRedirected: boolean): void {
  if (status === 200) return;
  const start = /^bytes (\d+)-/u.exec(headers.get('content-range') ?? '')?.[1];
  if (status === 206 && have > 0 && Number(start) === have) return;
  if (status === 416 || status === 206) throw new OtherPart('the server has another part of the file than requested');
  const message = `the server answered ${status}`;
  // After a redirect the cloud may serve the next attempt itself.
  const isFinal = status >= 400 && status < 500 && status !== 408 && status !== 429 && !isRedirected;
  if (isFinal) throw new (UNKNOWN.has(status) ? AddressFault : UpdateFault)(`download-failed: ${message}`);
  throw new Error(message);
}

async function onFlash(write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (error) {
    throw new FlashFault(`installation-failed: the flash could not be written (${String(error)})`, { cause: error });
  }
}

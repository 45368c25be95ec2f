import type { z } from 'zod';
import { directoryMessages, type CellKeys, type DirectoryMessage } from './names.ts';

/** The directory does not answer, or not as it should. The message contains no secrets. */
export class DirectoryUnavailable extends Error {}

/** Sends messages of a cell to its directory. */
export type DirectoryClient = <Message extends DirectoryMessage>(
  message: Message,
  body: z.input<(typeof directoryMessages)[Message]['body']>,
) => Promise<z.output<(typeof directoryMessages)[Message]['response']>>;

export interface DirectoryAddress {
  /** Origin of the directory. */
  readonly url: string;
  /** Name of this cell. */
  readonly cell: string;
}

/** Limit of one message. */
const LIMIT_MS = 5_000;

export function createDirectoryClient({ url, cell }: DirectoryAddress, keys: CellKeys): DirectoryClient {
  const authorization = `Bearer ${keys.bearerOf(cell)}`;
  return async (message, body) => {
    const response = await send(`${url}/directory/${encodeURIComponent(cell)}/${message}`, authorization, body).catch(
      (error: Error & { cause?: Error }) => {
        throw new DirectoryUnavailable(`${url} does not answer (${error.cause?.message || error.message}).`);
      },
    );
    const parsed = directoryMessages[message].response.safeParse(response);
    if (!parsed.success) throw new DirectoryUnavailable(`${url} does not answer as a directory.`);
    return parsed.data as never;
  };
}

async function send(url: string, authorization: string, body: object): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    redirect: 'error',
    signal: AbortSignal.timeout(LIMIT_MS),
  });
  if (response.ok) return response.json();
  await response.body?.cancel();
  throw new Error(
    response.status === 403 ? 'it does not know this cell: compare CELLS and CELLS_KEY' : `status ${response.status}`,
  );
}

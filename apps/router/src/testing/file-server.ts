import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One received request with its range. */
export type Fetched = { range: string | undefined; authorization: string | undefined };

/** Serves one file like the cloud does: HTTP Basic, ranges, and injected faults. */
export type FileServer = {
  readonly url: string;
  file: Buffer;
  /** Each response breaks off after this many bytes; undefined = none does. */
  breakAfter: number | undefined;
  /** Each response stops after this many bytes and stays open, until `breakAll`; undefined = none does. */
  holdAfter: number | undefined;
  /** Called when a response broke off. */
  broke: (() => void) | undefined;
  /** Answer with this status instead. */
  rejectWith: number | undefined;
  /** Called when a request was answered with that status. */
  rejected: (() => void) | undefined;
  /** Redirect there instead. */
  redirectTo: string | undefined;
  /** Ignore a range request and answer 200 with the whole file. */
  ignoresRanges: boolean;
  readonly fetched: Fetched[];
  /** All responses that are open break off. */
  breakAll(): void;
  stop(): Promise<void>;
};

export async function startFileServer(file: Buffer): Promise<FileServer> {
  const server = createServer((request, response) => serve(served, request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const served: FileServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/dl/step`,
    file,
    breakAfter: undefined,
    holdAfter: undefined,
    broke: undefined,
    rejectWith: undefined,
    rejected: undefined,
    redirectTo: undefined,
    ignoresRanges: false,
    fetched: [],
    breakAll: () => server.closeAllConnections(),
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return served;
}

function serve(served: FileServer, request: IncomingMessage, response: ServerResponse): void {
  const { range, authorization } = request.headers;
  served.fetched.push({ range, authorization });
  if (served.rejectWith !== undefined) {
    response.writeHead(served.rejectWith).end();
    return served.rejected?.();
  }
  if (served.redirectTo !== undefined) return void response.writeHead(302, { location: served.redirectTo }).end();
  const start = served.ignoresRanges ? 0 : Number(/^bytes=(\d+)-$/u.exec(range ?? '')?.[1] ?? 0);
  const part = served.file.subarray(start);
  const isPart = start > 0;
  response.writeHead(isPart ? 206 : 200, {
    'content-length': part.length,
    ...(isPart ? { 'content-range': `bytes ${start}-${served.file.length - 1}/${served.file.length}` } : {}),
  });
  if (served.holdAfter !== undefined) return void response.write(part.subarray(0, served.holdAfter));
  if (served.breakAfter === undefined || served.breakAfter >= part.length) return void response.end(part);
  response.write(part.subarray(0, served.breakAfter), () => {
    response.destroy();
    served.broke?.();
  });
}

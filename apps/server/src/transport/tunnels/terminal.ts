import type { Duplex } from 'node:stream';
import { remoteAccess } from '@highline/contract';
import ssh from 'ssh2';
import type { RawData, WebSocket } from 'ws';
import { guard } from '../../kernel/guard.ts';
import type { Log } from '../../platform/ports/log.ts';
import type { TerminalCause, TerminalEntry, TerminalRecording } from '../../platform/ports/tunnels.ts';
import { holdWrites } from './hold-writes.ts';

/** From the tunnel to the router's prompt. */
const READY_MS = 15_000;
/** The least time between two sizes for the router; of those in between only the last counts. */
const RESIZE_MS = 50;

type Size = Extract<remoteAccess.TerminalMessage, { readonly cols: number }>;

/** Bytes that the router has taken are reported together. */
const REPORT_BYTES = remoteAccess.TERMINAL_TYPED / 4;

/**
 * Join a browser's WebSocket with a shell at the router. Each side waits for the slower other one and reports what it has taken. The
 * WebSocket itself never waits: behind what was pasted are the confirmations that a router waits for which shows what was pasted.
 */
export function runTerminal(webSocket: WebSocket, entry: TerminalEntry, log: Log): void {
  const client = new ssh.Client();
  let hasLeft = false;
  let isOver = false;
  let connection: Duplex | undefined;

  const over = async (cause: TerminalCause, own?: remoteAccess.TerminalEnd): Promise<void> => {
    if (isOver) return;
    isOver = true;
    client.destroy();
    const reason = await entry.end(cause);
    // A paused one would not read the browser's part of the end, and wait for it.
    webSocket.resume();
    webSocket.close(1000, own ?? reason);
  };
  const finish = (cause: TerminalCause, own?: remoteAccess.TerminalEnd): void => {
    over(cause, own).catch((error: unknown) => {
      log.warn({ err: error }, 'Failed to end the session of a terminal.');
      webSocket.terminate();
    });
  };

  const cut = () => webSocket.terminate();
  // Nothing is read before there is a shell for it.
  webSocket.pause();
  webSocket.on('error', cut);
  const leave = () => {
    hasLeft = true;
    finish('left');
  };
  const fail = ({ level }: Error & { readonly level?: string }) =>
    finish('lost', level === 'client-authentication' ? 'sign-in-failed' : undefined);
  const openShell = () =>
    client.shell({ term: 'xterm-256color', cols: 80, rows: 24 }, (error, shell) => {
      if (error !== undefined) finish('lost', 'rejected');
      // A shell that ends leaves its connection; a connection that ends takes the shell along.
      else {
        if (connection !== undefined) holdWrites(shell, connection);
        joinShell(webSocket, shell, entry.recording, log, () => finish(connection?.destroyed === false ? 'exited' : 'lost'));
      }
    });
  entry.recording?.onStopped(finish);
  webSocket.once('close', guard(log, cut, leave));
  client.on('error', guard(log, cut, fail));
  client.once(
    'close',
    guard(log, cut, () => finish('lost')),
  );
  client.once('ready', guard(log, cut, openShell));
  const sign = (sock: Duplex): void => {
    connection = sock;
    const { username, password } = entry;
    if (hasLeft) sock.destroy();
    // The tunnel has authenticated the router; its own host key is as new as its last reset.
    else
      client.connect({
        sock,
        username,
        password,
        algorithms: { compress: ['none'] },
        readyTimeout: READY_MS,
        keepaliveInterval: 0,
      });
  };
  entry.connect().then(guard(log, cut, sign), () => finish('lost'));
}

/** Pass bytes in both directions until one side ends. */
function joinShell(
  webSocket: WebSocket,
  shell: ssh.ClientChannel,
  recording: TerminalRecording | undefined,
  log: Log,
  exited: () => void,
): void {
  let unconfirmed = 0;
  let untaken = 0;
  let unreported = 0;
  let size: Size | undefined;
  let timer: NodeJS.Timeout | undefined;
  const cut = () => webSocket.terminate();

  const resize = guard(log, cut, () => {
    timer = undefined;
    if (size === undefined) return;
    shell.setWindow(size.rows, size.cols, 0, 0);
    recording?.resize(size.cols, size.rows);
    size = undefined;
    timer = setTimeout(resize, RESIZE_MS);
  });
  // Both: one that reads may be behind with showing, and one that reads nothing may confirm all the same.
  const waitingForBrowser = () => Math.max(unconfirmed, webSocket.bufferedAmount);
  const proceed = (): void => {
    if (waitingForBrowser() <= remoteAccess.TERMINAL_WINDOW / 2 && recording?.isBehind !== true) shell.resume();
  };
  const show = (chunk: Buffer): void => {
    recording?.output(chunk);
    unconfirmed += chunk.length;
    webSocket.send(chunk, guard(log, cut, proceed));
    if (waitingForBrowser() > remoteAccess.TERMINAL_WINDOW || recording?.isBehind === true) shell.pause();
  };
  const obey = (message: remoteAccess.TerminalMessage): void => {
    if ('cols' in message) {
      size = message;
      if (timer === undefined) resize();
      return;
    }
    unconfirmed -= message.shown;
    if (unconfirmed < 0) cut();
    else proceed();
  };
  const report = (bytes: number): void => {
    untaken -= bytes;
    unreported += bytes;
    if (unreported < REPORT_BYTES) return;
    webSocket.send(JSON.stringify({ taken: unreported } satisfies remoteAccess.TerminalTaken));
    unreported = 0;
  };
  const type = (data: Buffer): void => {
    untaken += data.length;
    if (untaken > remoteAccess.TERMINAL_MOST_TYPED) return cut();
    shell.write(
      data,
      guard(log, cut, () => report(data.length)),
    );
    return undefined;
  };
  const take = (data: RawData, isBinary: boolean): void => {
    if (!Buffer.isBuffer(data)) return;
    // Also of a shell that has exited: the rest of what it showed waits for the browser.
    if (!isBinary) {
      const message = parseMessage(data);
      if (message === undefined) cut();
      else obey(message);
    } else if (shell.writable) type(data);
  };

  recording?.onCaughtUp(guard(log, cut, proceed));
  shell.on('data', guard(log, cut, show));
  shell.stderr.on('data', guard(log, cut, show));
  shell.on('error', guard(log, cut, exited));
  shell.once('close', guard(log, cut, exited));
  webSocket.on('message', guard(log, cut, take));
  webSocket.once('close', () => clearTimeout(timer));
  webSocket.resume();
}

function parseMessage(data: Buffer): remoteAccess.TerminalMessage | undefined {
  try {
    return remoteAccess.terminalMessage.safeParse(JSON.parse(data.toString())).data;
  } catch {
    return undefined;
  }
}

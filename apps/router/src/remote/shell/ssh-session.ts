import type { Connection, ExecInfo, PseudoTtyInfo, ServerChannel, Session, SignalInfo, WindowChangeInfo } from 'ssh2';
import { guard } from '../guard.ts';
import type { RunningShell, Shell, TerminalSize } from './shell.ts';

/** Attach the shell to an SSH session. All other requests (files, an agent, X11) are rejected by default. */
export function serveSession(session: Session, shell: Shell, connection: Connection): void {
  let terminal: TerminalSize | undefined;
  let running: RunningShell | undefined;

  const start = (channel: ServerChannel, command: string | undefined) => {
    const exit = (status: number) => {
      channel.exit(status);
      channel.end();
    };
    // Each side waits for the slower other one; nothing that was pasted is dropped.
    const mustWait = () => running?.isFull === true || channel.writableNeedDrain;
    const ready = () => {
      if (!mustWait()) channel.resume();
    };
    running = shell.open({ command, terminal, output: channel, errors: channel.stderr, ready, exit });
    const { input, inputEnded, hangUp } = running;
    const close = () => channel.destroy();
    const take = (bytes: Buffer) => {
      input(bytes);
      if (mustWait()) channel.pause();
    };
    channel.on('data', guard(close, take));
    channel.on('drain', guard(close, ready));
    // The end of a channel is behind the input that waits.
    connection.once('close', guard(close, hangUp));
    channel.on('end', guard(close, inputEnded));
    channel.on('error', guard(close, hangUp));
    channel.on('close', guard(close, hangUp));
  };
  const resize = (accept: Accept, size: { cols: number; rows: number }) => {
    terminal = sizeOf(size.cols, size.rows);
    running?.resized(terminal);
    confirm(accept);
  };
  const interrupt = (accept: Accept, name: string) => {
    if (name === 'INT') running?.interrupt();
    confirm(accept);
  };
  const end = () => void session.removeAllListeners();
  session.on(
    'pty',
    guard(end, (accept: Accept, _reject: unknown, info: PseudoTtyInfo) => resize(accept, info)),
  );
  session.on(
    'window-change',
    guard(end, (accept: Accept, _reject: unknown, info: WindowChangeInfo) => resize(accept, info)),
  );
  session.on(
    'signal',
    guard(end, (accept: Accept, _reject: unknown, { name }: SignalInfo) => interrupt(accept, name)),
  );
  session.on(
    'shell',
    guard(end, (accept: () => ServerChannel, reject: () => void) => (running ? reject() : start(accept(), undefined))),
  );
  session.on(
    'exec',
    guard(end, (accept: () => ServerChannel, reject: () => void, { command }: ExecInfo) =>
      running ? reject() : start(accept(), command),
    ),
  );
}

type Accept = (() => unknown) | undefined;

/** The library passes no function when the client wants no response. */
function confirm(accept: (() => unknown) | undefined): void {
  accept?.();
}

/** Clients may send any value; 0 means unknown (RFC 4254, 6.2). */
function sizeOf(columns: number, rows: number): TerminalSize {
  return { columns: columns === 0 ? 80 : clamp(columns, 20, 500), rows: rows === 0 ? 24 : clamp(rows, 5, 500) };
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value));
}

import type { ServerChannel, Session } from 'ssh2';
import type { RunningShell, Shell, TerminalSize } from './shell.ts';

/** Gives an SSH session its shell. Whatever else a session may ask for (files, an agent, X11) is refused by default. */
export function serveSession(session: Session, shell: Shell): void {
  let terminal: TerminalSize | undefined;
  let running: RunningShell | undefined;

  const start = (channel: ServerChannel, command: string | undefined) => {
    const exit = (status: number) => {
      channel.exit(status);
      channel.end();
    };
    running = shell.open({ command, terminal, output: channel, errors: channel.stderr, exit });
    const { input, inputEnded, hangUp } = running;
    channel.on('data', (bytes: Buffer) => input(bytes));
    channel.on('end', () => inputEnded());
    channel.on('error', () => hangUp());
    channel.on('close', () => hangUp());
  };
  session.on('pty', (accept, _reject, { cols, rows }) => {
    terminal = sizeOf(cols, rows);
    confirm(accept);
  });
  session.on('window-change', (accept, _reject, { cols, rows }) => {
    terminal = sizeOf(cols, rows);
    running?.resized(terminal);
    confirm(accept);
  });
  session.on('signal', (accept, _reject, { name }) => {
    if (name === 'INT') running?.interrupt();
    confirm(accept);
  });
  session.on('shell', (accept, reject) => (running ? reject() : start(accept(), undefined)));
  session.on('exec', (accept, reject, { command }) => (running ? reject() : start(accept(), command)));
}

/** The library hands over no function when the client wants no answer. */
function confirm(accept: (() => unknown) | undefined): void {
  accept?.();
}

/** Clients may say anything; 0 means that they do not know (RFC 4254, 6.2). */
function sizeOf(columns: number, rows: number): TerminalSize {
  return { columns: columns === 0 ? 80 : clamp(columns, 20, 500), rows: rows === 0 ? 24 : clamp(rows, 5, 500) };
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value));
}

import type { Writable } from 'node:stream';

/** What answers somebody who signed in over SSH. */
export type Shell = {
  /** Begins a conversation, or carries out one command. */
  open(call: ShellCall): RunningShell;
};

export type ShellCall = {
  /** What to carry out; undefined: a conversation. */
  command: string | undefined;
  /** Of the caller's screen; undefined: a program is calling, which wants no echo, no prompt and bare line feeds. */
  terminal: TerminalSize | undefined;
  output: Writable;
  errors: Writable;
  /** To be called once: it is over. */
  exit(status: number): void;
};

/** In characters. */
export type TerminalSize = { columns: number; rows: number };

export type RunningShell = {
  input(bytes: Buffer): void;
  inputEnded(): void;
  resized(size: TerminalSize): void;
  /** Ctrl-C came as a message instead of a key. */
  interrupt(): void;
  /** The caller is gone: nothing is to go on. */
  hangUp(): void;
};

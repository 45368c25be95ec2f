import type { Writable } from 'node:stream';

/** The shell of an SSH session. */
export type Shell = {
  /** Start an interactive session, or execute one command. */
  open(call: ShellCall): RunningShell;
};

export type ShellCall = {
  /** Command to execute; undefined: interactive. */
  command: string | undefined;
  /** Terminal of the caller; undefined: a program is calling, which gets no echo, no prompt and bare line feeds. */
  terminal: TerminalSize | undefined;
  output: Writable;
  errors: Writable;
  /** Call when input is taken again after `isFull`. */
  ready(): void;
  /** Call once at the end. */
  exit(status: number): void;
};

/** In characters. */
export type TerminalSize = { columns: number; rows: number };

export type RunningShell = {
  input(bytes: Buffer): void;
  /** Whether the caller has to wait with further input until `ready`. */
  readonly isFull: boolean;
  inputEnded(): void;
  resized(size: TerminalSize): void;
  /** Ctrl-C sent as a message instead of a key. */
  interrupt(): void;
  /** The caller is gone: stop everything. */
  hangUp(): void;
};

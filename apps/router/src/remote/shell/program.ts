import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { Transform } from 'node:stream';
import { guard } from '../guard.ts';
import type { RunningShell, Shell, ShellCall } from './shell.ts';

/** Exit code for a program that cannot be started, as in shells. */
const NOT_STARTED = 127;
const KILLED = 137;
const LONGEST_LINE = 4_096;

/**
 * A program of the machine as the shell, e.g. ['/bin/sh', '-i'], for hardware routers. It runs with the rights of the agent, over
 * pipes, without the agent's own environment, which may contain the router's secret.
 */
export function createProgramShell([program = '', ...args]: readonly string[]): Shell {
  return {
    open(call) {
      const given = call.command === undefined ? args : ['-c', call.command];
      // A separate process group, so that child processes end with it.
      const child = spawn(program, given, { env: environment(), detached: true });
      return converse(child, call);
    },
  };
}

function environment(): NodeJS.ProcessEnv {
  const { PATH, HOME, LANG } = process.env;
  return { PATH, HOME, LANG, TERM: 'dumb' };
}

function converse(child: ChildProcessWithoutNullStreams, call: ShellCall): RunningShell {
  const { terminal, output, errors, ready, exit } = call;
  const convert = () =>
    new Transform({ transform: (bytes, _encoding, done) => done(null, terminal ? withReturns(bytes) : bytes) });
  child.stdout.pipe(convert()).pipe(output, { end: false });
  child.stderr.pipe(convert()).pipe(terminal ? output : errors, { end: false });
  child.stdin.on('error', () => undefined);
  const close = () => output.destroy();
  child.stdin.on('drain', guard(close, ready));
  child.on(
    'error',
    guard(close, (error: NodeJS.ErrnoException) => {
      errors.write(`The shell could not be started: ${error.code}.\n`);
      exit(NOT_STARTED);
    }),
  );
  child.on(
    'close',
    guard(close, (status: number | null, signal: NodeJS.Signals | null) => {
      if (child.pid !== undefined) exit(signal === null ? (status ?? 0) : KILLED);
    }),
  );

  const signal = (name: NodeJS.Signals) => {
    // After its end the pid may belong to another program.
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    try {
      process.kill(-child.pid, name);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  };
  const line = new TypedLine({
    echo: (text) => output.write(text),
    entered: (text) => child.stdin.write(text),
    interrupted: () => signal('SIGINT'),
    ended: () => child.stdin.end(),
  });
  return {
    input: (bytes) => (terminal && call.command === undefined ? line.feed(bytes) : void child.stdin.write(bytes)),
    get isFull() {
      return child.stdin.writableNeedDrain;
    },
    inputEnded: () => void child.stdin.end(),
    resized: () => undefined,
    interrupt: () => signal('SIGINT'),
    hangUp: () => signal('SIGKILL'),
  };
}

/** Byte by byte, since a character may be split. */
function withReturns(bytes: Buffer): Buffer {
  return Buffer.from(bytes.toString('latin1').replaceAll('\n', '\r\n'), 'latin1');
}

type TypedLineOptions = {
  echo(text: string): void;
  entered(line: string): void;
  interrupted(): void;
  ended(): void;
};

/** Terminal handling for a program that has only a pipe: echo, backspace, and control keys. */
class TypedLine {
  readonly #options: TypedLineOptions;
  readonly #decoder = new TextDecoder();
  #line: string[] = [];

  constructor(options: TypedLineOptions) {
    this.#options = options;
  }

  feed(bytes: Uint8Array): void {
    for (const key of this.#decoder.decode(bytes, { stream: true })) this.#press(key);
  }

  #press(key: string): void {
    const { echo, entered, interrupted, ended } = this.#options;
    if (key === '\r') {
      echo('\r\n');
      entered(`${this.#line.splice(0).join('')}\n`);
    } else if (key === '\u0003') {
      this.#line = [];
      echo('^C\r\n');
      interrupted();
    } else if (key === '\u0004') {
      if (this.#line.length === 0) ended();
    } else if (key === '\u0015') this.#erase(this.#line.length);
    else if (key === '\u007F' || key === '\b') this.#erase(1);
    else if (!/\p{Cc}/u.test(key) && this.#line.length < LONGEST_LINE) {
      this.#line.push(key);
      echo(key);
    }
  }

  #erase(count: number): void {
    const erased = Math.min(count, this.#line.length);
    this.#line.length -= erased;
    this.#options.echo('\b \b'.repeat(erased));
  }
}

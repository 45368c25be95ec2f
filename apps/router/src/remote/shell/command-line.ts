import type { RemoteHost } from '../host.ts';
import { type Command, type CommandContext, commands, findWord } from './commands.ts';
import { LineEditor } from './line-editor.ts';
import type { RunningShell, Shell, ShellCall, TerminalSize } from './shell.ts';

/** Exit code as in shells. */
const NOT_FOUND = 127;
const INTERRUPTED = 130;
const LONGEST_LINE = 512;
/** Buffer for a program that writes faster than its commands run; the rest is dropped. */
const MOST_UNREAD = 65_536;
const CONTROL = /\p{Cc}/gu;

/** The router's own command line. It has a few commands, and no input ever reaches a shell of the machine. */
export function createCommandLine(host: RemoteHost): Shell {
  return {
    open(call) {
      const line = new CommandLine(host, call);
      line.start();
      return {
        input: (bytes) => line.input(bytes),
        get isFull() {
          return line.isFull;
        },
        inputEnded: () => line.inputEnded(),
        resized: (size) => line.resized(size),
        interrupt: () => line.interrupt(),
        hangUp: () => line.hangUp(),
      } satisfies RunningShell;
    },
  };
}

/** Receiver of the next line: a confirmation of the running command, or the prompt. */
type LineHandler = (line: string | undefined) => void;

class CommandLine {
  readonly #host: RemoteHost;
  readonly #call: ShellCall;
  readonly #editor: LineEditor | undefined;
  readonly #decoder = new TextDecoder();
  /** Lines of a calling program without a terminal. */
  #unread = '';
  #terminal: TerminalSize | undefined;
  #status = 0;
  #isBusy = false;
  #hasEnded = false;
  #inputIsOver = false;
  /** Interrupts the running command. */
  #interrupt: (() => void) | undefined;
  #response: LineHandler | undefined;

  constructor(host: RemoteHost, call: ShellCall) {
    this.#host = host;
    this.#call = call;
    this.#terminal = call.terminal;
    this.#editor = call.terminal && call.command === undefined ? this.#createEditor() : undefined;
  }

  start(): void {
    const { command } = this.#call;
    if (command !== undefined) {
      void this.#run(command).then(() => this.#exit());
      return;
    }
    if (!this.#editor) return;
    const { identity } = this.#host.router;
    const { firmware } = this.#host.router.installed();
    this.#line(`Highline ${identity.model}, serial number ${identity.serial}, firmware ${firmware}.`);
    this.#line("Type 'help' for the list of commands.");
    this.#promptWith(this.#prompt);
  }

  input(bytes: Uint8Array): void {
    if (this.#hasEnded) return;
    if (this.#editor) this.#editor.feed(bytes);
    else if (this.#call.command === undefined) this.#readLines(bytes);
  }

  get isFull(): boolean {
    return !this.#hasEnded && this.#editor?.isFull === true;
  }

  inputEnded(): void {
    this.#inputIsOver = true;
    if (this.#editor || this.#call.command !== undefined) return;
    void this.#workOff();
  }

  resized(size: TerminalSize): void {
    this.#terminal = size;
    this.#editor?.redraw();
  }

  interrupt(): void {
    const respond = this.#response;
    this.#response = undefined;
    this.#interrupt?.();
    respond?.(undefined);
  }

  hangUp(): void {
    this.#hasEnded = true;
    this.interrupt();
  }

  get #prompt(): string {
    return `${this.#host.router.identity.serial}# `;
  }

  #createEditor(): LineEditor {
    return new LineEditor({
      write: (text) => this.#write(text),
      columns: () => this.#terminal?.columns ?? 80,
      complete: (before) => (this.#response ? [] : completions(before)),
      entered: (line) => this.#entered(line),
      interrupted: () => {
        if (this.#response) this.interrupt();
        else this.#promptWith(this.#prompt);
      },
      brokeOff: () => this.interrupt(),
      ended: () => {
        this.#write('\r\n');
        if (this.#response) this.interrupt();
        else this.#exit();
      },
    });
  }

  #entered(line: string): void {
    const respond = this.#response;
    this.#response = undefined;
    if (respond) return respond(line);
    void this.#runAndPrompt(line);
    return undefined;
  }

  async #runAndPrompt(line: string): Promise<void> {
    if (!(await this.#run(line))) this.#exit();
    else if (!this.#hasEnded) this.#promptWith(this.#prompt);
  }

  #promptWith(text: string): void {
    this.#editor?.prompt(text);
    if (!this.isFull) this.#call.ready();
  }

  #readLines(bytes: Uint8Array): void {
    this.#unread = (this.#unread + this.#decoder.decode(bytes, { stream: true })).slice(0, MOST_UNREAD);
    void this.#workOff();
  }

  /** Execute the lines of a program one after another. */
  async #workOff(): Promise<void> {
    if (this.#isBusy) return;
    for (let line = this.#nextLine(); line !== undefined; line = this.#nextLine()) {
      if (!(await this.#run(line))) this.#exit();
    }
    if (this.#inputIsOver && !this.#isBusy) this.#exit();
  }

  #nextLine(): string | undefined {
    const end = this.#unread.indexOf('\n');
    if (this.#hasEnded || this.#unread === '' || (end === -1 && !this.#inputIsOver)) return undefined;
    const line = end === -1 ? this.#unread : this.#unread.slice(0, end);
    this.#unread = this.#unread.slice(line.length + 1);
    return line;
  }

  /** @returns whether the session continues */
  async #run(line: string): Promise<boolean> {
    const [typed, ...args] = line.slice(0, LONGEST_LINE).trim().split(/\s+/u);
    if (!typed) return true;
    const name = findWord(typed === '?' ? 'help' : typed, Object.keys(commands));
    if (name === undefined) {
      this.#line(`${typed}: no such command. Type 'help' for the list.`);
      this.#status = NOT_FOUND;
      return true;
    }
    this.#isBusy = true;
    const result = await this.#execute(commands[name]!, args);
    this.#isBusy = false;
    if (result === 'exit') return false;
    this.#status = result;
    return true;
  }

  async #execute(command: Command, args: readonly string[]): Promise<number | 'exit'> {
    let broken = false;
    const context: CommandContext = {
      host: this.#host,
      line: (text) => broken || this.#line(text),
      clearScreen: () => this.#editor && this.#write('\u001B[H\u001B[2J'),
      promptUser: async (question) => await this.#promptUser(question),
      pause: async (ms) => {
        await new Promise<void>((resolve) => this.#host.scheduler.after(ms, resolve));
        return !broken;
      },
    };
    const brokenOff = new Promise<number>((resolve) => {
      this.#interrupt = () => {
        broken = true;
        resolve(INTERRUPTED);
      };
    });
    const status = await Promise.race([Promise.resolve(command.run(context, args)), brokenOff]);
    this.#interrupt = undefined;
    return status;
  }

  async #promptUser(question: string): Promise<string | undefined> {
    if (!this.#editor) return undefined;
    return await new Promise((resolve) => {
      this.#response = resolve;
      this.#promptWith(question);
    });
  }

  #line(text: string): void {
    this.#write(text.replaceAll(CONTROL, ' ') + (this.#call.terminal ? '\r\n' : '\n'));
  }

  #write(text: string): void {
    if (!this.#hasEnded) this.#call.output.write(text);
  }

  #exit(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#call.exit(this.#status);
    // What follows is read and dropped.
    this.#call.ready();
  }
}

/** Commands, and after a command its arguments. */
function completions(before: string): readonly string[] {
  const [first = '', second, ...more] = before.trimStart().split(/\s+/u);
  if (more.length > 0) return [];
  const args = second === undefined ? Object.keys(commands) : (commands[first]?.args ?? []);
  return args.filter((word) => word.startsWith(second ?? first));
}

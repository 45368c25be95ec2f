import { KEYS, type Act } from './line-keys.ts';

/** Interface of a line editor to its shell. */
export type LineEditorOptions = {
  /** Send text to the screen unchanged. */
  write(text: string): void;
  /** Current width of the screen in characters. */
  columns(): number;
  /** All completions of the last word of `before`. */
  complete(before: string): readonly string[];
  /** A line was entered. The editor waits for the next prompt. */
  entered(line: string): void;
  /** Ctrl-C instead of a line. */
  interrupted(): void;
  /** Ctrl-C while a command runs. */
  brokeOff(): void;
  /** Ctrl-D on an empty line. */
  ended(): void;
};

const LONGEST_LINE = 512;
/** Characters typed while a command runs, from which on the sender has to wait. */
const MOST_WAITING = 4_096;
const MOST_HISTORY = 100;

/** A key, or printable characters that were pasted together. */
const KEY =
  // oxlint-disable-next-line no-control-regex -- keys are control characters
  /^(?:[^\p{Cc}\p{Cs}]+|\r\n|\x1b\[[0-9;]*[A-Za-z~]|\x1bO[A-Za-z]|\x1b[^[O]|[\s\S])/u;
// oxlint-disable-next-line no-control-regex -- keys are control characters
const HALF_A_KEY = /^\x1b(?:\[[0-9;]*|O)?$/u;
/** A key that is not complete by then is none. */
const LONGEST_KEY = 64;
const UNPRINTABLE = /\p{Cc}|\p{Cs}/u;

/**
 * One line of input on a terminal: cursor keys, history, completion. Fragmented keys are assembled; input typed while a command
 * runs waits for the next prompt. A line wider than the screen is scrolled around the cursor.
 */
export class LineEditor {
  readonly #options: LineEditorOptions;
  readonly #decoder = new TextDecoder();
  readonly #history: string[] = [];
  #waiting = '';
  #isPrompting = false;
  /** Whether the screen shows the line. It is drawn once for all keys that arrive together. */
  #isDrawn = true;
  #afterReturn = false;
  #prompt = '';
  /** One code point each. */
  #line: string[] = [];
  #cursor = 0;
  /** Index in the history; its length: the new line. */
  #historyIndex = 0;
  #fresh: string[] = [];

  constructor(options: LineEditorOptions) {
    this.#options = options;
  }

  /** Show the prompt and read a line. */
  prompt(text: string): void {
    this.#prompt = text;
    this.#line = [];
    this.#cursor = 0;
    this.#historyIndex = this.#history.length;
    this.#isPrompting = true;
    this.#isDrawn = false;
    this.#work();
  }

  /** Whether no more should be fed until the next prompt: keys wait for the end of the running command. */
  get isFull(): boolean {
    return this.#waiting.length > MOST_WAITING;
  }

  /** Process input. */
  feed(bytes: Uint8Array): void {
    this.#waiting += this.#decoder.decode(bytes, { stream: true });
    this.#work();
  }

  /** The width of the screen has changed. */
  redraw(): void {
    if (!this.#isPrompting) return;
    this.#isDrawn = false;
    this.#draw();
  }

  #work(): void {
    while (this.#isPrompting && this.#waiting !== '' && !this.#isHalfAKey()) {
      const key = KEY.exec(this.#waiting)?.[0] ?? '';
      this.#waiting = this.#waiting.slice(key.length);
      this.#press(key);
    }
    if (this.#isPrompting) this.#draw();
    else this.#lookForInterrupt();
  }

  #isHalfAKey(): boolean {
    return this.#waiting.length <= LONGEST_KEY && HALF_A_KEY.test(this.#waiting);
  }

  #lookForInterrupt(): void {
    const at = this.#waiting.lastIndexOf('\u0003');
    if (at === -1) return;
    // Earlier typed input is dropped, as on any terminal.
    this.#waiting = this.#waiting.slice(at + 1);
    this.#write('^C\r\n');
    this.#options.brokeOff();
  }

  #press(key: string): void {
    // A return and a line feed that arrive separately are one key, as when they arrive together.
    const isSecondHalf = key === '\n' && this.#afterReturn;
    this.#afterReturn = key === '\r';
    if (isSecondHalf) return;
    const act = Object.hasOwn(KEYS, key) ? KEYS[key] : undefined;
    if (act) this.#do(act);
    else if (!UNPRINTABLE.test(key)) this.#insert(key);
  }

  #do(act: Act): void {
    switch (act) {
      case 'enter':
        return this.#enter();
      case 'interrupt':
        this.#isPrompting = false;
        this.#write('^C\r\n');
        return this.#options.interrupted();
      case 'end-of-input':
        if (this.#line.length > 0) return this.#cut(this.#cursor, this.#cursor + 1);
        this.#draw();
        return this.#options.ended();
      case 'complete':
        return this.#complete();
      case 'clear':
        this.#write('\u001b[H\u001b[2J');
        return this.#changed();
      case 'older':
        return this.#recall(this.#historyIndex - 1);
      case 'newer':
        return this.#recall(this.#historyIndex + 1);
      case 'back':
        return this.#cursor > 0 ? this.#cut(this.#cursor - 1, this.#cursor) : undefined;
      case 'delete':
        return this.#cut(this.#cursor, this.#cursor + 1);
      case 'cut-left':
        return this.#cut(0, this.#cursor);
      case 'cut-right':
        return this.#cut(this.#cursor, this.#line.length);
      case 'cut-word':
        return this.#cut(this.#wordStart(), this.#cursor);
      case 'left':
        return this.#move(this.#cursor - 1);
      case 'right':
        return this.#move(this.#cursor + 1);
      case 'home':
        return this.#move(0);
      case 'end':
        return this.#move(this.#line.length);
    }
  }

  #enter(): void {
    const line = this.#line.join('');
    this.#isPrompting = false;
    this.#move(this.#line.length);
    this.#write('\r\n');
    if (line.trim() !== '' && line !== this.#history.at(-1)) this.#history.push(line);
    if (this.#history.length > MOST_HISTORY) this.#history.shift();
    this.#options.entered(line);
  }

  #insert(text: string): void {
    const available = LONGEST_LINE - this.#line.length;
    const added = Array.from(text).slice(0, available);
    this.#line.splice(this.#cursor, 0, ...added);
    this.#cursor += added.length;
    const isAtEnd = this.#cursor === this.#line.length;
    const isShort = this.#prompt.length + this.#line.length < this.#options.columns();
    if (isAtEnd && isShort && this.#isDrawn) this.#options.write(added.join(''));
    else this.#changed();
  }

  #cut(from: number, to: number): void {
    this.#line.splice(from, to - from);
    this.#cursor = Math.min(from, this.#line.length);
    this.#changed();
  }

  #move(to: number): void {
    this.#cursor = Math.max(0, Math.min(this.#line.length, to));
    this.#changed();
  }

  #wordStart(): number {
    const before = this.#line.slice(0, this.#cursor).join('');
    return this.#cursor - Array.from(/\S*\s*$/u.exec(before)?.[0] ?? '').length;
  }

  #recall(historyIndex: number): void {
    if (historyIndex < 0 || historyIndex > this.#history.length) return;
    if (this.#historyIndex === this.#history.length) this.#fresh = this.#line;
    this.#historyIndex = historyIndex;
    this.#line = historyIndex === this.#history.length ? this.#fresh : Array.from(this.#history[historyIndex] ?? '');
    this.#move(this.#line.length);
  }

  #complete(): void {
    const before = this.#line.slice(0, this.#cursor).join('');
    const word = /\S*$/u.exec(before)?.[0] ?? '';
    const choices = this.#options.complete(before);
    const shared = sharedStart(choices);
    if (choices.length === 1) this.#insert(`${shared.slice(word.length)} `);
    else if (shared.length > word.length) this.#insert(shared.slice(word.length));
    else if (choices.length > 1) {
      this.#write(`\r\n${choices.join('  ')}\r\n`);
      this.#changed();
    }
  }

  #changed(): void {
    this.#isDrawn = false;
  }

  /** Write other text than the line, which is drawn first. */
  #write(text: string): void {
    this.#draw();
    this.#options.write(text);
  }

  #draw(): void {
    if (this.#isDrawn) return;
    this.#isDrawn = true;
    const available = Math.max(1, this.#options.columns() - this.#prompt.length - 1);
    const from = Math.max(0, this.#cursor - available);
    const shown = this.#line.slice(from, from + available).join('');
    const column = this.#prompt.length + this.#cursor - from;
    this.#options.write(`\r${this.#prompt}${shown}\u001b[K\r${column > 0 ? `\u001b[${column}C` : ''}`);
  }
}

function sharedStart(candidates: readonly string[]): string {
  const [first = '', ...others] = candidates;
  let length = first.length;
  for (const word of others) while (!word.startsWith(first.slice(0, length))) length -= 1;
  return first.slice(0, length);
}

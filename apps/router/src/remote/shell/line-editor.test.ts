import * as fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { LineEditor } from './line-editor.ts';

let written: string;
let lines: string[];
let events: string[];
let columns: number;
let editor: LineEditor;

beforeEach(() => {
  written = '';
  lines = [];
  events = [];
  columns = 80;
  editor = new LineEditor({
    write: (text) => (written += text),
    columns: () => columns,
    complete: (before) => ['show', 'status', 'stop'].filter((word) => word.startsWith(before)),
    entered(line) {
      lines.push(line);
      editor.prompt('# ');
    },
    interrupted() {
      events.push('interrupted');
      editor.prompt('# ');
    },
    brokeOff: () => events.push('broke off'),
    ended: () => events.push('ended'),
  });
  editor.prompt('# ');
});

const type = (keys: string) => editor.feed(Buffer.from(keys));
const UP = '\u001B[A';
const DOWN = '\u001B[B';
const LEFT = '\u001B[D';
const RIGHT = '\u001B[C';

/** The line that a terminal would show after this output. */
function screenOf(text: string): { line: string; column: number } {
  let line = '';
  let column = 0;
  // oxlint-disable-next-line no-control-regex -- what controls a terminal
  for (const [part] of text.matchAll(/\u001B\[\d*[A-Z]|[\s\S]/gu)) {
    if (part === '\r') column = 0;
    else if (part === '\n') line = '';
    else if (part === '\u001B[K') line = line.slice(0, column);
    else if (part.startsWith('\u001B[') && part.endsWith('C')) column += Number(part.slice(2, -1));
    else if (part.startsWith('\u001B[')) [line, column] = ['', 0];
    else {
      line = line.slice(0, column) + part + line.slice(column + 1);
      column += 1;
    }
  }
  return { line, column };
}

describe('editing a line', () => {
  it.each([
    ['plain', 'uptime\r', 'uptime'],
    ['backspace', 'upx\u007Ftime\r', 'uptime'],
    ['backspace at the start does nothing', '\u007Fup\r', 'up'],
    ['left and insert', `utime${LEFT.repeat(4)}p\r`, 'uptime'],
    ['cursor keys in application mode', 'utime\u001BOD\u001BOD\u001BOD\u001BODp\r', 'uptime'],
    ['home and end', 'ptime\u0001u\u0005!\r', 'uptime!'],
    ['delete', `xuptime\u001B[H\u001B[3~\r`, 'uptime'],
    ['Ctrl-D deletes when there is something', 'xup\u0001\u0004\r', 'up'],
    ['Ctrl-U deletes the text before the cursor', `wrong uptime${LEFT.repeat(6)}\u0015\r`, 'uptime'],
    ['Ctrl-K deletes the text after it', 'uptime wrong\u0001\u0006\u0006\u000B\r', 'up'],
    ['Ctrl-W drops a word', 'show sim \u0017\r', 'show '],
    ['other keys do nothing', 'up\u001B[5~\u001B[24~\u001Bx\u0000\u0007\r', 'up'],
    ['completion of the only candidate', 'sh\t\r', 'show '],
    ['completion of the common prefix', 's\tta\t\r', 'status '],
    ['completion without a candidate', 'x\t\r', 'x'],
    ['more than ASCII', 'grüße 路由器 🚌\u007F!\r', 'grüße 路由器 !'],
  ])('%s', (_name, keys, line) => {
    type(keys);
    expect(lines).toEqual([line]);
  });

  it('return, line feed and both together are one key each', () => {
    type('a\rb\nc\r\nd\r');
    type('\n');
    type('e\r');
    expect(lines).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  it('a key without an end is none, and holds nothing up', () => {
    type(`\u001B[${'0'.repeat(10_000)}`);
    expect(editor.isFull).toBe(false);
    type('\u0015up\r');
    expect(lines).toEqual(['up']);
  });

  it('goes through earlier lines and returns to the new one', () => {
    type('first\rsecond\r');
    type(`new${UP}${UP}${UP}${DOWN}${DOWN}${DOWN}er\r`);
    type(`${UP}${UP}${UP}\r`);
    expect(lines).toEqual(['first', 'second', 'newer', 'first']);
  });

  it('Ctrl-C drops the line, Ctrl-D on an empty one ends', () => {
    type('half a li\u0003');
    expect(written).toContain('^C\r\n');
    type('\u0004');
    expect(lines).toEqual([]);
    expect(events).toEqual(['interrupted', 'ended']);
  });

  it('lists several candidates', () => {
    type('st\t');
    expect(written).toContain('\r\nstatus  stop\r\n');
  });

  it('shows the part of a long line around the cursor', () => {
    columns = 20;
    editor.redraw();
    type('abcdefghijklmnopqrstuvwxyz');
    expect(screenOf(written).line.length).toBeLessThan(20);
    expect(screenOf(written).line).toMatch(/^# .*z$/u);
    type('\u0001');
    expect(screenOf(written).line).toMatch(/^# abc/u);
    expect(screenOf(written).column).toBe(2);
    type('\r');
    expect(lines).toEqual(['abcdefghijklmnopqrstuvwxyz']);
  });

  it('the screen always shows the line, for any keys in any fragments', () => {
    const keys = fc.constantFrom(
      'a',
      'b',
      ' ',
      'é',
      LEFT,
      RIGHT,
      '\u007F',
      '\u0001',
      '\u0005',
      '\u0015',
      '\u000B',
      '\u0017',
      '\u001B[3~',
    );
    fc.assert(
      fc.property(fc.array(keys, { maxLength: 40 }), fc.integer({ min: 1, max: 5 }), (pressed, size) => {
        written = '';
        lines = [];
        type('\u0003');
        const bytes = Buffer.from(pressed.join(''));
        for (let at = 0; at < bytes.length; at += size) editor.feed(bytes.subarray(at, at + size));
        const shown = screenOf(written).line;
        type('\r');
        expect(`# ${lines[0]}`).toBe(shown);
      }),
    );
  });
});

describe('while a command runs', () => {
  let busy: LineEditor;
  beforeEach(() => {
    busy = new LineEditor({
      write: (text) => (written += text),
      columns: () => 80,
      complete: () => [],
      entered: (line) => lines.push(line),
      interrupted: () => events.push('interrupted'),
      brokeOff: () => events.push('broke off'),
      ended: () => events.push('ended'),
    });
    busy.prompt('# ');
    busy.feed(Buffer.from('ping x\r'));
  });

  it('typed input waits for the next prompt', () => {
    busy.feed(Buffer.from('uptime\r'));
    expect(lines).toEqual(['ping x']);
    busy.prompt('# ');
    expect(lines).toEqual(['ping x', 'uptime']);
  });

  it('what is pasted waits whole, and says that no more should come until the next prompt', () => {
    const pasted = Array.from({ length: 1_000 }, (_, index) => `line ${index}`);
    expect(busy.isFull).toBe(false);
    busy.feed(Buffer.from(`${pasted.join('\r')}\r`));
    expect(busy.isFull).toBe(true);
    for (const _ of pasted) busy.prompt('# ');
    expect(lines).toEqual(['ping x', ...pasted]);
    expect(busy.isFull).toBe(false);
  });

  it('Ctrl-C interrupts the command and drops earlier input', () => {
    busy.feed(Buffer.from('dropped\r\u0003kept\r'));
    expect(events).toEqual(['broke off']);
    busy.prompt('# ');
    expect(lines).toEqual(['ping x', 'kept']);
  });
});

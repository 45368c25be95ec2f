import { PassThrough } from 'node:stream';
import { afterEach, describe, expect, it } from 'vitest';
import { createProgramShell } from './program.ts';
import type { RunningShell, TerminalSize } from './shell.ts';

let shell: RunningShell | undefined;
afterEach(() => shell?.hangUp());

function open(program: string[], command?: string, terminal?: TerminalSize) {
  const output = new PassThrough({ encoding: 'utf8' });
  const errors = new PassThrough({ encoding: 'utf8' });
  const seen = { output: '', errors: '' };
  output.on('data', (text: string) => (seen.output += text));
  errors.on('data', (text: string) => (seen.errors += text));
  const status = new Promise<number>((exit) => {
    shell = createProgramShell(program).open({ command, terminal, output, errors, ready: () => {}, exit });
  });
  return { seen, status, type: (keys: string) => shell?.input(Buffer.from(keys)) };
}

describe('a program as the shell', () => {
  it('runs one command with its status, without the agent’s environment', async () => {
    process.env['HIGHLINE_ROUTER_SECRET'] = 'no one may see this';
    const { seen, status } = open(['/bin/sh', '-i'], 'env; echo wrong >&2; exit 3');
    expect(await status).toBe(3);
    delete process.env['HIGHLINE_ROUTER_SECRET'];
    expect(seen.output).toContain('TERM=dumb\n');
    expect(seen.output).not.toContain('no one may see this');
    expect(seen.errors).toBe('wrong\n');
  });

  it('is interactive: input is echoed and can be erased, and Ctrl-D ends it', async () => {
    const { seen, status, type } = open(['/bin/sh'], undefined, { columns: 80, rows: 24 });
    type('echp\u007Fo one zwölf\r');
    type('\u0004');
    expect(await status).toBe(0);
    expect(seen.output).toContain('echp\b \bo one zwölf\r\n');
    expect(seen.output).toContain('\r\none zwölf\r\n');
  });

  it('ends with the session, and so do its child processes', async () => {
    const { status, type } = open(['/bin/sh']);
    type('cat\n');
    shell?.hangUp();
    expect(await status).toBe(137);
  });

  it('that is missing is reported', async () => {
    const { seen, status } = open(['/nowhere/sh']);
    expect(await status).toBe(127);
    expect(seen.errors).toBe('The shell could not be started: ENOENT.\n');
  });
});

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ArgumentFaults, readCommandLine } from './cli-arguments.ts';
import { CONTROL_HELP } from './control.ts';
import { FAULTS } from './platform/simulated-euicc.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'router-cli-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function faultsOf(argv: string[], environment: NodeJS.ProcessEnv = {}): readonly string[] {
  try {
    readCommandLine(argv, environment);
    return [];
  } catch (error) {
    if (error instanceof ArgumentFaults) return error.faults;
    throw error;
  }
}

const GOOD = ['--server', 'ws://127.0.0.1:8080', '--serial', 'HL-1', '--mac', '00:b2:d0:56:c2:27', '--model', 'HL-500'];

describe('the command line', () => {
  it('an agent needs few options, and its secret comes from the environment', () => {
    const command = readCommandLine(['agent', ...GOOD, '--clock-skew-seconds', '-30', '--control', '0'], {
      HIGHLINE_ROUTER_SECRET: 's',
    });
    expect(command).toMatchObject({
      kind: 'agent',
      server: 'ws://127.0.0.1:8080/',
      controllerId: 'self::highline',
      controlPort: 0,
      routers: [{ serial: 'HL-1', mac: '00B2D056C227', secret: 's', clockSkewSeconds: -30 }],
    });
  });

  it('a shell is the full path of a program with its arguments', () => {
    const command = readCommandLine(['agent', ...GOOD, '--secret', 's', '--shell', '/bin/sh -i'], {});
    expect(command).toMatchObject({ shell: ['/bin/sh', '-i'] });
    expect(faultsOf(['agent', ...GOOD, '--secret', 's', '--shell', 'sh'])).toEqual([
      '--shell: expected the full path of a program, and its arguments',
    ]);
  });

  it('all faults are named at once', () => {
    expect(
      faultsOf([
        'agent',
        '--server',
        'http://x',
        '--mac',
        '12',
        '--controller',
        'me',
        '--control',
        'x',
        '--frob',
        'stray',
        '--model',
      ]),
    ).toEqual([
      'no option --frob',
      "'stray' is no option",
      '--model needs a value',
      '--server: expected ws:// or wss:// and a host',
      '--controller: not a USP endpoint id',
      '--control: expected a whole number from 0 to 65535',
      'the secret is missing: set HIGHLINE_ROUTER_SECRET',
      '--serial is missing',
      '--mac: expected 12 hex digits',
      '--model is missing',
    ]);
  });

  it('a client certificate with its key replaces the secret, and one without the other is a fault', () => {
    const certificate = ['--client-cert', 'r.crt.pem', '--client-key', 'r.key.pem'];
    expect(readCommandLine(['agent', ...GOOD, ...certificate], {})).toMatchObject({
      routers: [{ secret: '', clientCert: 'r.crt.pem', clientKey: 'r.key.pem' }],
    });
    expect(faultsOf(['agent', ...GOOD, '--client-cert', 'r.crt.pem'])).toEqual(['--client-key is missing']);
  });

  it('two different secrets are a fault, and neither is shown', () => {
    const faults = faultsOf(['agent', ...GOOD, '--secret', 'one-secret'], { HIGHLINE_ROUTER_SECRET: 'other-secret' });
    expect(faults).toHaveLength(1);
    expect(faults.join()).not.toMatch(/one-secret|other-secret/);
  });

  it('an unknown command is named', () => {
    expect(faultsOf(['explode'])).toEqual(["no command 'explode': agent or fleet"]);
  });

  it.each([[[]], [['--help']], [['agent', '--help']], [['fleet', '--help']]])('%j shows help', (argv) => {
    expect(readCommandLine(argv, {})).toMatchObject({ kind: 'help', text: expect.stringContaining('--') as string });
  });
});

describe('the help', () => {
  it.each(['agent', 'fleet'])('of %s names every control command, and every faulty kind of eSIM profile', (command) => {
    const help = readCommandLine([command, '--help'], {});
    const names = [...CONTROL_HELP.map((line) => line.split(' ')[0] ?? ''), ...FAULTS.map((fault) => `  ${fault} `)];
    const missing = names.filter((word) => help.kind !== 'help' || !help.text.includes(word));
    expect(missing).toEqual([]);
  });
});

describe('a fleet file', () => {
  function fleet(content: string): readonly string[] {
    const file = join(folder, 'fleet.json');
    writeFileSync(file, content);
    return faultsOf(['fleet', '--server', 'ws://127.0.0.1:8080', '--file', file]).map((fault) => fault.replace(file, 'FILE'));
  }
  const router = { serial: 'HL-1', mac: '00B2D0000001', secret: 'hidden', model: 'HL-500' };

  it('is read, with its defaults', () => {
    const file = join(folder, 'good.json');
    writeFileSync(file, JSON.stringify([router, { ...router, serial: 'HL-2', flaky: { offEverySeconds: 60, offSeconds: 5 } }]));
    const command = readCommandLine(['fleet', '--server', 'wss://cloud.example', '--file', file, '--ramp-ms', '500'], {});
    expect(command).toMatchObject({
      kind: 'fleet',
      rampMs: 500,
      routers: [{ serial: 'HL-1', firmware: '1.0.0' }, { serial: 'HL-2' }],
    });
  });

  it('faults are named with their location', () => {
    expect(fleet(JSON.stringify([router, { ...router, mac: 'x', extra: 1 }]))).toEqual([
      'FILE: 1.mac: expected 12 hex digits',
      'FILE: 1: Unrecognized key: "extra"',
    ]);
    expect(fleet(JSON.stringify([router, router]))).toEqual(['FILE: 1.serial: HL-1 is there twice']);
  });

  it('invalid JSON is rejected without quoting it', () => {
    expect(fleet('[{"secret": "hidden" oops')).toEqual(['--file: FILE is not JSON']);
    expect(faultsOf(['fleet', '--server', 'ws://x', '--file', join(folder, 'none.json')])[0]).toContain('ENOENT');
  });
});

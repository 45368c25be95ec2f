import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TestController } from './testing/controller.ts';

const CLI = fileURLToPath(new URL('cli.ts', import.meta.url));
const SECRET = 'top-secret-0815';
const EID = 'os::00B2D0-HL-1';

let controller: TestController;
let stateDir: string;
let children: ChildProcess[];

beforeEach(async () => {
  controller = await TestController.start();
  stateDir = mkdtempSync(join(tmpdir(), 'router-cli-'));
  children = [];
});
afterEach(async () => {
  for (const child of children) child.kill('SIGKILL');
  await controller.stop();
  rmSync(stateDir, { recursive: true, force: true });
});

/** A real process; its output so far. */
function startAgentProcess(extra: string[] = []): { child: ChildProcess; output: () => string } {
  const argv = [CLI, 'agent', '--server', controller.url, '--serial', 'HL-1', '--mac', '00B2D0000001', '--model', 'HL-500'];
  const env = { ...process.env, HIGHLINE_ROUTER_SECRET: SECRET };
  const child = spawn(process.execPath, [...argv, '--state-dir', stateDir, ...extra], { env, stdio: ['pipe', 'pipe', 'pipe'] });
  children.push(child);
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => (text += String(chunk)));
  child.stderr.on('data', (chunk: Buffer) => (text += String(chunk)));
  return { child, output: () => text };
}

describe('a router process', () => {
  it('connects, closes properly at SIGTERM, and shows its secret neither in its log nor in its arguments', async () => {
    const { child, output } = startAgentProcess();
    await controller.until(() => controller.connects.length === 1);
    const argv = readFileSync(`/proc/${child.pid}/cmdline`, 'utf8');
    const closed = once(controller.socket(EID), 'close');
    child.kill('SIGTERM');
    expect((await closed)[0]).toBe(1001);
    expect(await once(child, 'exit')).toEqual([0, null]);
    expect(controller.addresses[0]).toContain(SECRET);
    expect(output()).toContain('router.connected');
    expect(argv + output()).not.toContain(SECRET);
  });

  it('DEV-08-partial survives kill -9: its subscriptions remain, and the next process sends Boot!', async () => {
    const first = startAgentProcess();
    await controller.until(() => controller.connects.length === 1);
    await controller.subscribe(EID, 'boot', 'Event', 'Device.Boot!');
    first.child.kill('SIGKILL');
    await once(first.child, 'exit');
    startAgentProcess();
    await controller.until(() => controller.of('boot').length === 1);
    expect(controller.connects).toEqual([EID, EID]);
  });

  it('accepts control commands on standard input, and ends with it if configured', async () => {
    const { child, output } = startAgentProcess(['--exit-with-stdin']);
    await controller.until(() => controller.connects.length === 1);
    const closed = once(controller.socket(EID), 'close');
    child.stdin?.end('explode\npower-cut 60000\n');
    expect((await closed)[0]).toBe(1006);
    expect(await once(child, 'exit')).toEqual([0, null]);
    expect(output()).toContain("no command 'explode'");
    expect(output()).toContain('router.off');
  });

  it('a wrong command line ends with code 2 and lists every fault', async () => {
    const child = spawn(process.execPath, [CLI, 'agent', '--frob'], { stdio: ['ignore', 'ignore', 'pipe'] });
    let text = '';
    child.stderr.on('data', (chunk: Buffer) => (text += String(chunk)));
    expect((await once(child, 'close'))[0]).toBe(2);
    expect(text).toContain('no option --frob\n--server is missing\n');
  });
});

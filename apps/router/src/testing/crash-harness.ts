import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { TestController } from './controller.ts';
import { startFileServer, type FileServer } from './file-server.ts';
import { imageOf, keys, sha256 } from './images.ts';
import { CRASH_ROUTER_ID } from './crash-router.ts';

/** What is installed; the bad ones never call home. */
export type CrashRunKind = 'firmware' | 'bad-firmware' | 'config' | 'bad-config';
export const crashRunKinds: readonly CrashRunKind[] = ['firmware', 'bad-firmware', 'config', 'bad-config'];

/** When to kill the process: at a write of its state, or after this many bytes of the file. */
export type CrashPoint = { readonly moment: 'before' | 'after'; readonly write: number } | { readonly bytes: number };

export type CrashRun = {
  /** Writes of state of the first process. */
  readonly writes: number;
  /** Number of process starts. */
  readonly processes: number;
  /** How the command ended, each time it was reported: '' = success. */
  readonly ends: readonly string[];
  /** What the router reports afterwards: its firmware, or the name of its config file. */
  readonly active: string;
  /** Remaining commands. */
  readonly openRequests: string;
};

/** All crash points: before and after each write of state in an undisturbed run, and between chunks of the download. */
export function crashPoints(undisturbed: CrashRun): CrashPoint[] {
  const writes = Array.from({ length: undisturbed.writes }, (_, index) => index + 1);
  const atWrites = writes.flatMap((write): CrashPoint[] => [
    { moment: 'before', write },
    { moment: 'after', write },
  ]);
  return [...atWrites, { bytes: 1 }, { bytes: 70_000 }, { bytes: 199_999 }];
}

type Result = Pick<CrashRun, 'active' | 'openRequests'>;

const SCRIPT = fileURLToPath(new URL('crashing-agent.ts', import.meta.url));
const KEY = 'walk-1';
const INFO = 'Device.DeviceInfo.';

/**
 * One update in a separate router process, from the command to its acknowledged end, with one kill -9 in between, after which the
 * process is restarted. The cloud's part: it sends a request on every connection, and repeats the command until it has received
 * its end.
 */
export async function runUpdateWithCrash(kind: CrashRunKind, cut?: CrashPoint): Promise<CrashRun> {
  const harness = new CrashHarness(kind);
  try {
    return await harness.run(cut);
  } finally {
    await harness.close();
  }
}

class CrashHarness {
  readonly #folder = mkdtempSync(join(tmpdir(), 'router-walk-'));
  readonly #kind: CrashRunKind;
  #controller!: TestController;
  #files!: FileServer;
  #child: ChildProcess | undefined;
  #processes = 0;
  #writes = 0;
  #closed = false;

  constructor(kind: CrashRunKind) {
    this.#kind = kind;
  }

  async run(cut: CrashPoint | undefined): Promise<CrashRun> {
    this.#controller = await TestController.start();
    this.#files = await startFileServer(fileOf(this.#kind));
    if (cut && 'bytes' in cut) this.#killAfter(cut.bytes);
    writeFileSync(join(this.#folder, 'keys.pem'), keys.publicKey);
    this.#spawn(cut && 'write' in cut ? cut : undefined);
    const result = await this.#drive();
    return { writes: this.#writes, processes: this.#processes, ends: this.#ends, ...result };
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#child?.kill('SIGKILL');
    await this.#controller.stop();
    await this.#files.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  get #isFirmware(): boolean {
    return this.#kind.endsWith('firmware');
  }

  get #ends(): string[] {
    return this.#controller.received.flatMap(({ notification: reported }) =>
      reported.type === 'oper_complete' && reported.commandKey === KEY
        ? [reported.result.type === 'cmd_failure' ? reported.result.errMsg : '']
        : [],
    );
  }

  #killAfter(bytes: number): void {
    this.#files.breakAfter = bytes;
    this.#files.broke = () => {
      this.#files.breakAfter = undefined;
      this.#child?.kill('SIGKILL');
    };
  }

  #spawn(cut: Extract<CrashPoint, { write: number }> | undefined): void {
    const isFirst = this.#processes === 0;
    this.#processes++;
    // Good software gets as much time as a busy machine needs; bad software never calls home, however long the wait.
    const window = this.#kind.startsWith('bad') ? '500' : '600000';
    const argv = [SCRIPT, this.#controller.url, join(this.#folder, 'state'), join(this.#folder, 'keys.pem'), window];
    const at = cut ? [cut.moment, String(cut.write)] : [];
    const child = spawn(process.execPath, [...argv, ...at], { stdio: ['ignore', 'pipe', 'inherit'] });
    this.#child = child;
    child.stdout.on('data', (chunk: Buffer) => {
      if (isFirst) this.#writes += String(chunk).split('\n').length - 1;
    });
    child.once('exit', () => {
      if (!this.#closed) this.#spawn(undefined);
    });
  }

  /** Each connection is set up and queried; a connection that breaks is followed by the next. */
  async #drive(): Promise<Result> {
    for (let seen = 0; ;) {
      await this.#controller.until(() => this.#controller.connects.length > seen);
      seen = this.#controller.connects.length;
      const next = this.#controller.until(() => this.#controller.connects.length > seen);
      const result = await Promise.race([this.#attend(), next]);
      if (result) return result;
    }
  }

  async #attend(): Promise<Result> {
    await this.#expectContact();
    await this.#controller.until(() => this.#ends.length > 0);
    // Queried after the end was acknowledged, so that its last write was made by then.
    const active = await this.#get(this.#isFirmware ? `${INFO}SoftwareVersion` : `${INFO}VendorConfigFile.1.Name`);
    return { active, openRequests: await this.#get('Device.LocalAgent.RequestNumberOfEntries') };
  }

  async #expectContact(): Promise<void> {
    const listed = await this.#controller.request(CRASH_ROUTER_ID, {
      type: 'get',
      paramPaths: ['Device.LocalAgent.Subscription.*.ID'],
      maxDepth: 0,
    });
    const isSubscribed = (listed.reqPathResults[0]?.resolvedPathResults.length ?? 0) > 0;
    if (!isSubscribed) await this.#controller.subscribe(CRASH_ROUTER_ID, 'ends', 'OperationComplete', 'Device.');
    if (this.#ends.length === 0) await this.#operate();
  }

  async #operate(): Promise<void> {
    const { file, url } = this.#files;
    const command = this.#isFirmware ? `${INFO}FirmwareImage.2.Download()` : `${INFO}VendorConfigFile.1.Restore()`;
    const own: [string, string] = this.#isFirmware ? ['AutoActivate', 'true'] : ['TargetFileName', 'depot.cfg'];
    const inputArgs = new Map([
      ['URL', url],
      ['Username', 'walker'],
      ['Password', 'pass'],
      ['FileSize', String(file.length)],
      ['CheckSumAlgorithm', 'SHA-256'],
      ['CheckSum', sha256(file)],
      own,
    ]);
    await this.#controller.request(CRASH_ROUTER_ID, { type: 'operate', command, commandKey: KEY, sendResp: true, inputArgs });
  }

  async #get(path: string): Promise<string> {
    const { reqPathResults } = await this.#controller.request(CRASH_ROUTER_ID, { type: 'get', paramPaths: [path], maxDepth: 0 });
    return reqPathResults[0]?.resolvedPathResults[0]?.resultParams.values().next().value ?? '';
  }
}

function fileOf(kind: CrashRunKind): Buffer {
  switch (kind) {
    case 'firmware':
      return imageOf();
    case 'bad-firmware':
      return imageOf({ line: 'never-connects' });
    case 'config':
      return Buffer.from('apn = depot\n');
    case 'bad-config':
      return Buffer.from('server.offline = true\n');
  }
}

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createLog, silentLog } from '../log.ts';
import { afterBoot, afterFactoryReset, afterRebootRequest } from './lifecycle.ts';
import { factoryState, parseState } from './state.ts';
import { openFileStore } from './store.ts';

const FACTORY = factoryState({ firmware: '1.0.0', config: null });
let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'router-state-'));
  file = join(folder, 'router.json');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('stored state', () => {
  it('is restored when the store is opened again, readable by its owner only', () => {
    const next = afterBoot(FACTORY, 1_000);
    openFileStore(file, FACTORY, silentLog).commit(next);
    expect(openFileStore(file, FACTORY, silentLog).current()).toEqual(next);
    expect(statSync(file).mode & 0o077).toBe(0);
  });

  it.each([
    ['empty', ''],
    ['torn', JSON.stringify(FACTORY).slice(0, 40)],
    ['zeros', '\0'.repeat(200)],
    ['of a newer version', JSON.stringify({ ...FACTORY, version: 4 })],
    ['with a field of the wrong kind', JSON.stringify({ ...FACTORY, bootCount: 'many' })],
    ['of something else', '[1,2,3]'],
  ])('a file that is %s: factory defaults, a warning, and the file set aside', (_, text) => {
    writeFileSync(file, text);
    const lines: string[] = [];
    const store = openFileStore(
      file,
      FACTORY,
      createLog((line) => lines.push(line)),
    );
    expect(store.current()).toEqual(FACTORY);
    expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([{ level: 'warn', event: 'state.unreadable' }]);
    expect(readFileSync(`${file}.unreadable`, 'utf8')).toBe(text);
    expect(existsSync(file)).toBe(false);
  });

  it('GRP-10-partial a torn file: the state before it is read, and the log says so', () => {
    const store = openFileStore(file, FACTORY, silentLog);
    const first = afterBoot(FACTORY, 1_000);
    store.commit(first);
    store.commit(afterBoot(first, 2_000));
    writeFileSync(file, readFileSync(file, 'utf8').slice(0, 40));
    const lines: string[] = [];
    const log = createLog((line) => lines.push(line));
    expect(openFileStore(file, FACTORY, log).current()).toEqual(first);
    expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
      { event: 'state.unreadable', action: 'starting from the state before it' },
    ]);
    // The unreadable one is set aside now.
    expect(openFileStore(file, FACTORY, silentLog).current()).toEqual(first);
  });

  it('GRP-10-partial what does not fit whole is an error, and the old state is read', () => {
    const before = afterBoot(FACTORY, 1_000);
    openFileStore(file, FACTORY, silentLog).commit(before);
    // Like a full disk, the limit lets the first 4 KiB pass without an error.
    const script = fileURLToPath(new URL('../testing/write-too-much.ts', import.meta.url));
    const written = spawnSync('bash', ['-c', 'ulimit -f 4; exec "$0" "$@"', process.execPath, script, file], {
      encoding: 'utf8',
    });
    expect(written.stdout).toBe('state EFBIG, flash EFBIG');
    expect(parseState(readFileSync(file, 'utf8'))).toEqual(before);
  });

  it('of a version before updates is read: the running firmware is in the first slot', () => {
    const { flash: _, job: __, trial: ___, ended: ____, chip, esims, ...first } = FACTORY;
    const installed = { firmware: '1.4.0', config: { name: 'a', version: '1', description: '' } };
    const state = parseState(JSON.stringify({ ...first, version: 1, bootCount: 7, installed }));
    expect(state).toMatchObject({ version: 3, bootCount: 7, installed: { config: { name: 'a', text: '' } }, job: null });
    expect(state).toMatchObject({ chip, esims });
    expect(state.flash).toMatchObject({ active: 1, slots: [{ version: '1.4.0', status: 'Available' }, { status: 'NoImage' }] });
  });

  it('of a version before eSIM profiles is read: the preloaded one is in use', () => {
    const { chip, esims, ...second } = FACTORY;
    const state = parseState(JSON.stringify({ ...second, version: 2, bootCount: 7 }));
    expect(state).toEqual({ ...FACTORY, bootCount: 7, chip, esims });
    expect(state.chip).toEqual({ enabled: '', profiles: [] });
  });

  it('an interrupted write of the temporary file changes nothing', () => {
    openFileStore(file, FACTORY, silentLog).commit(afterBoot(FACTORY, 5));
    writeFileSync(`${file}.new`, '{"version":1,"boo');
    expect(openFileStore(file, FACTORY, silentLog).current().bootCount).toBe(1);
  });

  it('a failed write keeps the old state', () => {
    const store = openFileStore(file, FACTORY, silentLog);
    rmSync(folder, { recursive: true });
    expect(() => store.commit(afterBoot(FACTORY, 5))).toThrow('ENOENT');
    expect(store.current()).toEqual(FACTORY);
  });

  it('every acknowledged state survives kill -9 during a write', async () => {
    for (let round = 0; round < 3; round++) {
      const child = spawn(process.execPath, [fileURLToPath(new URL('../testing/endless-writer.ts', import.meta.url)), file], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let acknowledged = 0;
      await new Promise<void>((resolve) => {
        child.stdout.on('data', (chunk: Buffer) => {
          acknowledged = Number(String(chunk).trim().split('\n').at(-1));
          if (acknowledged >= 20 * (round + 1)) resolve();
        });
      });
      child.kill('SIGKILL');
      await once(child, 'close');
      expect(parseState(readFileSync(file, 'utf8')).bootCount).toBeGreaterThanOrEqual(acknowledged);
      expect(existsSync(`${file}.unreadable`)).toBe(false);
    }
  });
});

describe('from one start to the next', () => {
  const rows = {
    'Device.LocalAgent.Subscription.1.': { ID: 'stays', Persistent: 'true' },
    'Device.LocalAgent.Subscription.2.': { ID: 'goes' },
    'Device.BulkData.Profile.1.': { Enable: 'true' },
  };

  it('each start is counted, the first one dated, and non-persistent state is gone', () => {
    const second = afterBoot(afterBoot({ ...FACTORY, rows }, 1_000), 2_000);
    expect(second).toMatchObject({ bootCount: 2, firstUse: 1_000 });
    expect(Object.keys(second.rows)).toEqual(['Device.LocalAgent.Subscription.1.', 'Device.BulkData.Profile.1.']);
  });

  it('a factory reset keeps only counters and firmware, and the next Boot! reports it', () => {
    const used = {
      ...afterBoot({ ...FACTORY, rows }, 1_000),
      installed: { firmware: '2.0.0', config: { name: 'a', version: '1', description: '', text: '' } },
    };
    expect(afterFactoryReset(used, 'key', 'RemoteFactoryReset')).toEqual({
      ...FACTORY,
      bootCount: 1,
      firstUse: 1_000,
      installed: { firmware: '2.0.0', config: null },
      boot: { cause: 'RemoteFactoryReset', commandKey: 'key', firmwareUpdated: false },
    });
  });

  it('a requested restart is reported with cause and key', () => {
    expect(afterRebootRequest(FACTORY, 'k').boot).toEqual({ cause: 'RemoteReboot', commandKey: 'k', firmwareUpdated: false });
  });
});

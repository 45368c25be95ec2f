import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Manifest } from '../cli/backup/manifest.ts';
import { run } from '../cli/run.ts';
import { silentLog } from '../testing/log.ts';
import { createCheckpoints } from '../domains/logs/index.ts';
import type { OrganizationScope } from '../kernel/scope.ts';
import { createTestDatabase } from '../testing/database.ts';
import { until } from '../testing/process.ts';
import { startTestServer, type TestServer, type TestServerOptions } from '../testing/server.ts';
import { startArchivedPostgres } from '../testing/standby.ts';

/** Create groups until `stop` is called. */
function keepWriting({ seeding }: TestServer, scope: OrganizationScope, name: string) {
  const over = new AbortController();
  const written: string[] = [];
  const done = (async () => {
    for (let n = 0; !over.signal.aborted; n++) {
      await seeding.group(scope, `${name} ${n}`);
      written.push(`${name} ${n}`);
    }
  })();
  return {
    written,
    async stop() {
      over.abort();
      await done;
    },
  };
}

async function closeAll(servers: TestServer[]): Promise<void> {
  for (const server of servers.splice(0)) await server.close();
}

/** @returns the exit code of a command line, and its errors */
async function highline(line: readonly string[], environment: Record<string, string>) {
  let errors = '';
  const code = await run(line, { environment, out: () => {}, err: (text) => (errors += text) });
  return [code, errors];
}

test('NOD-06 under writes, a server goes back to a point in time before a mistake, and its backup is whole when it is restored', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'highline-point-'));
  // Firmware images and checkpoints are in it; they stay.
  const data = join(folder, 'data');
  const [postgres, elsewhere] = [await startArchivedPostgres(), await createTestDatabase()];
  const masterKey = randomBytes(32).toString('hex');
  const settings = {
    PUBLIC_URL: 'http://127.0.0.1:8080',
    SMTP_URL: 'none',
    HIGHLINE_MASTER_KEY: masterKey,
    HIGHLINE_DATA_DIR: join(folder, 'unused'),
  };
  const servers: TestServer[] = [];
  const opened = async (options: TestServerOptions) => {
    const server = await startTestServer(options);
    servers.push(server);
    return server;
  };
  try {
    const server = await opened({ database: postgres.database, folder: data, masterKey });
    const { scope: main } = await server.seeding.mainAccount('Point');
    const scope = await server.seeding.organization(main, 'Point');
    await server.seeding.firmware(main, { model: 'HL-R320', version: '9.9.9' });
    const { written, stop } = keepWriting(server, scope, 'Group');
    await postgres.backUp();
    const atBackup = written.length;
    // Acknowledged after the backup: only the archived WAL has them.
    await until(() => written.length >= atBackup + 5);
    const before = [...written];
    const time = await postgres.server.read<string>('clock_timestamp()::text');
    const enough = written.length + 5;
    await until(() => written.length >= enough);
    await stop();
    // The mistake.
    await server.owner.query("update groups set name = 'lost ' || name");
    const last = await postgres.server.read<string>('pg_walfile_name(pg_current_wal_lsn())');
    await postgres.server.run('select pg_switch_wal()');
    await until(() => postgres.server.read<boolean>(`(select last_archived_wal >= '${last}' from pg_stat_archiver)`));
    await closeAll(servers);
    await postgres.server.kill();

    const recovered = await postgres.recoverTo(time);
    const again = await opened({ database: recovered, folder: data, masterKey });
    const { rows } = await again.owner.query<{ name: string }>("select name from groups where name like 'Group %'");
    const names = rows.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(before));
    expect(names).not.toContain(written.at(-1));
    expect(names.length).toBeLessThan(written.length);
    const during = keepWriting(again, scope, 'After');
    await until(() => during.written.length >= 3);
    const { checkpoints, auditKey } = again.installation;
    const sign = createCheckpoints({
      database: again.database,
      store: checkpoints,
      privateKey: auditKey.privateKey,
      log: silentLog,
    });
    // As the job does it every 15 minutes, and at the start.
    await sign(new Date());
    const environment = { ...settings, DATABASE_URL: recovered.ownerUrl, DATABASE_SERVE_URL: recovered.serveUrl };
    const to = join(folder, 'backup');
    const acknowledged = during.written.length;
    expect(await highline(['backup', '--to', to], { ...environment, HIGHLINE_DATA_DIR: data })).toEqual([0, '']);
    await during.stop();
    await closeAll(servers);
    const manifest = JSON.parse(readFileSync(join(to, 'manifest.json'), 'utf8')) as Manifest;
    expect(manifest.tables.find(({ name }) => name === 'groups')!.rows).toBeGreaterThanOrEqual(names.length + acknowledged);
    for (const files of [manifest.blobs, manifest.checkpoints]) expect(files.length).toBeGreaterThan(0);
    expect(await highline(['verify', '--from', to], environment)).toEqual([0, '']);
    const target = { DATABASE_URL: elsewhere.ownerUrl, DATABASE_SERVE_URL: elsewhere.serveUrl };
    const place = { ...environment, ...target, HIGHLINE_DATA_DIR: join(folder, 'restored') };
    expect(await highline(['restore', '--from', to], place)).toEqual([0, '']);
    const restored = await opened({ database: elsewhere, folder: join(folder, 'restored'), masterKey });
    const groups = await restored.owner.query<{ name: string }>('select name from groups');
    expect(groups.rows.map(({ name }) => name)).toEqual(
      expect.arrayContaining([...before, ...during.written.slice(0, acknowledged)]),
    );
    const [image] = manifest.blobs;
    expect(await restored.installation.blobs.has(image!.sha256)).toBe(true);
  } finally {
    await closeAll(servers);
    await postgres.close();
    await elsewhere.close();
    rmSync(folder, { recursive: true, force: true });
  }
});

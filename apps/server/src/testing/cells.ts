import { createSecretKey, randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { composeDirectory, type DirectoryServer } from '../compose/directory.ts';
import { openDatabase } from '../platform/adapters/postgres/connect.ts';
import { createTestDatabase } from './database.ts';
import { freePort } from './process.ts';
import { startTestServer, type TestServer } from './server.ts';

/** Two cells and their directory, each with a database of its own. */
export interface TestCells {
  readonly directoryUrl: string;
  readonly a: TestServer;
  readonly b: TestServer;
  /** Origins of the cells by name. */
  readonly cells: ReadonlyMap<string, string>;
  stopDirectory(): Promise<void>;
  startDirectory(): Promise<void>;
  close(): Promise<void>;
}

export async function startTestCells(): Promise<TestCells> {
  const key = randomBytes(32);
  const [port, ...ports] = [await freePort(), await freePort(), await freePort()];
  const names = ['a', 'b'] as const;
  const cells = new Map(names.map((name, index) => [name as string, `http://127.0.0.1:${ports[index]}`]));
  const directoryUrl = `http://127.0.0.1:${port}`;
  const database = await createTestDatabase();
  const log = pino({ level: 'fatal' });
  const http = { host: '127.0.0.1', port, publicUrl: directoryUrl, trustedProxies: [] };
  const opened = await openDatabase(database.settings, log);
  let directory: DirectoryServer | undefined;

  const startDirectory = async () => {
    const settings = { http, cells: { kind: 'directory' as const, cells, key: createSecretKey(key) } };
    directory = await composeDirectory({ settings, opened, log });
    await directory.listen();
  };
  const stopDirectory = async () => {
    await directory?.close();
    directory = undefined;
  };
  const startCell = (name: string) => {
    const origin = cells.get(name)!;
    const environment = { DIRECTORY_URL: directoryUrl, CELL_NAME: name, CELLS_KEY: key.toString('hex') };
    return startTestServer({ environment: { ...environment, PORT: new URL(origin).port } });
  };
  await startDirectory();
  const [a, b] = [await startCell('a'), await startCell('b')];
  return {
    directoryUrl,
    a,
    b,
    cells,
    stopDirectory,
    startDirectory,
    async close() {
      await Promise.all([a.close(), b.close()]);
      await stopDirectory();
      await opened.close();
      await database.close();
    },
  };
}

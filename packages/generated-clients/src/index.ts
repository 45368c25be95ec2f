import { execFile } from 'node:child_process';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { generateSource } from 'oazapfts';
import openapiTypescript, { astToString } from 'openapi-typescript';

const run = promisify(execFile);
const modules = fileURLToPath(new URL('../../../node_modules', import.meta.url));

export interface GeneratedClients {
  /** What the TypeScript compiler says about them, strictly; empty = nothing. */
  readonly faults: string;
  /** The module with a function for each call. */
  load(): Promise<unknown>;
  remove(): Promise<void>;
}

/** Clients in TypeScript as a customer would generate them from the description (HKS-03), compiled strictly. */
export async function generateClients(description: object): Promise<GeneratedClients> {
  const folder = await mkdtemp(join(tmpdir(), 'generated-clients-'));
  await symlink(modules, join(folder, 'node_modules'));
  const document = join(folder, 'openapi.json');
  await writeFile(document, JSON.stringify(description));
  await writeFile(join(folder, 'types.ts'), astToString(await openapiTypescript(pathToFileURL(document), { silent: true })));
  await writeFile(join(folder, 'client.ts'), await generateSource(document));
  return {
    faults: await compile(folder),
    load: () => import(/* @vite-ignore */ pathToFileURL(join(folder, 'client.ts')).href),
    remove: () => rm(folder, { recursive: true }),
  };
}

async function compile(folder: string): Promise<string> {
  const flags = ['--strict', '--target', 'es2024', '--module', 'nodenext', '--types', '', '--pretty', 'false'];
  const compiler = join(modules, 'typescript', 'bin', 'tsc');
  const files = ['types.ts', 'client.ts'].map((file) => join(folder, file));
  const failed = await run(process.execPath, [compiler, '--noEmit', ...flags, ...files], { cwd: folder }).then(
    () => undefined,
    (error: unknown) => error as { readonly stdout: string; readonly message: string },
  );
  return failed === undefined ? '' : failed.stdout || failed.message;
}

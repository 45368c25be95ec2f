import { hash, randomUUID } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const ID = /^[0-9a-f-]{36}$/u;

/**
 * The name of a process: the same after a restart, different on another machine or with another folder. Machines may have the same host
 * name, and the same path of the folder; they differ in an id that is made in the folder, which one process at a time uses.
 */
export function readNodeName(host: string, dataDir: string): string {
  return hash('sha256', `${host}\n${dataDir}\n${readId(join(dataDir, 'node-id'))}`).slice(0, 16);
}

/** Made when it is missing or was cut by a loss of power: the former process of that id ends with its lease then. */
function readId(path: string): string {
  const known = readText(path).trim();
  if (ID.test(known)) return known;
  const id = randomUUID();
  writeFileSync(`${path}.part`, `${id}\n`, { mode: 0o600, flush: true });
  renameSync(`${path}.part`, path);
  return id;
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}

import { hash } from 'node:crypto';

/** The name of a process: the same after a restart, different on another machine or with another folder. */
export function nodeName(host: string, dataDir: string): string {
  return hash('sha256', `${host}\n${dataDir}`).slice(0, 16);
}

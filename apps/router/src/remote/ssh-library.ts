import { createRequire } from 'node:module';
import type ssh2 from 'ssh2';

const load = createRequire(import.meta.url);

/** The SSH library, loaded at first use: most starts never need it, and loading takes a tenth of a start. */
export function sshLibrary(): typeof ssh2 {
  return load('ssh2') as typeof ssh2;
}

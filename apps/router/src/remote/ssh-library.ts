import { createRequire } from 'node:module';
import type ssh2 from 'ssh2';

const load = createRequire(import.meta.url);

/** The SSH library, loaded when it is first needed: most starts of a router never need it, and it would be a tenth of each. */
export function sshLibrary(): typeof ssh2 {
  return load('ssh2') as typeof ssh2;
}

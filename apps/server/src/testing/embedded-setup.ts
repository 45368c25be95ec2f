import { EMBEDDED_VARIABLE } from './database.ts';
import { startCluster } from './global-setup.ts';

/** Before the first test of the project `embedded`: an embedded PostgreSQL, whatever the other projects use. */
export default async function setup(): Promise<() => Promise<void>> {
  const { cluster, stop } = await startCluster();
  process.env[EMBEDDED_VARIABLE] = JSON.stringify(cluster);
  return stop;
}

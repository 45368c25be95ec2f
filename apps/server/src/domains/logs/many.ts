import { createHash } from 'node:crypto';

/** The most serial numbers listed in an entry; its digest covers all of them. */
const MAX_SPELLED = 100;

/** Many devices in an entry: how many, the first serial numbers, and SHA-256 over all in their order, one per line. */
export type ManyDevices = {
  readonly count: number;
  readonly serials: readonly string[];
  readonly digest: string;
};

/** Describe any number of devices in an entry of limited size: how many, the first few by name, and a digest over all serials. */
export function describeMany(serials: readonly string[]): ManyDevices {
  const hash = createHash('sha256');
  for (const serial of serials) hash.update(`${serial}\n`);
  return { count: serials.length, serials: serials.slice(0, MAX_SPELLED), digest: hash.digest('hex') };
}

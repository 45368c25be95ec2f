import { createHash } from 'node:crypto';

/** The most serial numbers an entry spells out; its digest covers all of them. */
const MAX_SPELLED = 100;

/** What an entry tells of many devices: how many, the first serial numbers, and SHA-256 over all in their order, one a line. */
export type ManyDevices = {
  readonly count: number;
  readonly serials: readonly string[];
  readonly digest: string;
};

/** Any number of devices in an entry of bounded size: how many, the first few by name, and a digest over all serials. */
export function describeMany(serials: readonly string[]): ManyDevices {
  const hash = createHash('sha256');
  for (const serial of serials) hash.update(`${serial}\n`);
  return { count: serials.length, serials: serials.slice(0, MAX_SPELLED), digest: hash.digest('hex') };
}

import { usage } from '@highline/contract';
import { call } from '../../api/client.ts';

/** Data used in the running cycle, and in the one before; bytes. */
export interface CycleBytes {
  readonly total: number;
  readonly before: number;
}

type Kind = 'devices' | 'iccids';

/** Cells of a list ask one by one: those of one moment become one call of at most this many ids. */
const MOST_AT_ONCE = 100;

interface Request {
  readonly id: string;
  resolve(found: CycleBytes): void;
  reject(error: unknown): void;
}

const waiting: Record<Kind, Request[]> = { devices: [], iccids: [] };

/** The running cycle of a device, or of a SIM by its ICCID (USE-02). */
export function cycleUse(kind: Kind, id: string): Promise<CycleBytes> {
  if (waiting[kind].length === 0) setTimeout(() => void flush(kind), 0);
  return new Promise((resolve, reject) => waiting[kind].push({ id, resolve, reject }));
}

async function flush(kind: Kind): Promise<void> {
  const all = waiting[kind].splice(0);
  for (let first = 0; first < all.length; first += MOST_AT_ONCE) {
    const requests = all.slice(first, first + MOST_AT_ONCE);
    try {
      const { result } = await call(usage.usageOf, { query: { [kind]: requests.map(({ id }) => id).join(',') } });
      const rows =
        kind === 'devices'
          ? result.devices.map((row) => ({ ...row, id: row.device }))
          : result.sims.map((row) => ({ ...row, id: row.iccid }));
      for (const { id, resolve } of requests) {
        const own = rows.filter((row) => row.id === id);
        resolve({ total: own.reduce((sum, row) => sum + row.total, 0), before: own.reduce((sum, row) => sum + row.before, 0) });
      }
    } catch (error) {
      for (const { reject } of requests) reject(error);
    }
  }
}

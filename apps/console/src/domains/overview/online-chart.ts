import type { OnlineMoment } from './attention.api.ts';

/** Seconds between two moments of each range. */
export const stepOf = { '24': 300, '168': 3_600 } as const;

/** Share of devices online, 0 to 1. */
export function shareOf({ online, devices }: OnlineMoment): number {
  return devices === 0 ? 0 : online / devices;
}

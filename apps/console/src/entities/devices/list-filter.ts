import type { bulkJobs } from '@highline/contract';
import type { z } from 'zod';

type Filter = z.output<typeof bulkJobs.deviceFilter>;

/** Parts of a list's query that do not decide which rows it has. */
const others: ReadonlySet<string> = new Set(['realm', 'org', 'limit', 'offset', 'cursor', 'sort', 'around', 'page', 'size']);

/** The filter of a device list without its order and its page, for calls about all devices that match. */
export function filterOfList(query: Readonly<Record<string, unknown>>): Filter {
  return Object.fromEntries(Object.entries(query).filter(([name, value]) => !others.has(name) && value !== undefined));
}

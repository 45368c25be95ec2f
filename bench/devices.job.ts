import { bulkJobs } from '@highline/contract';
import type { BenchDatabase, Highline } from './cluster.ts';
import type { BigOrganization } from './devices.seed.ts';
import { middle, timed } from './measure.ts';
import { assessed, whole, type Figure } from './table.ts';

/** Devices that a job moves. */
const MOVED = 10_000;
const MOVES = 3;
const MOST_RATIO = 1.5;
const POLL_MS = 50;
const DEADLOCK = '40P01';

/** Devices move to another group as a job with progress, and by one statement. */
export async function moveFigure(
  { owner }: BenchDatabase,
  { organizationId }: BigOrganization,
  { url }: Highline,
  bearer: string,
): Promise<Figure> {
  await owner.query("insert into groups (organization_id, key, name) values ($1, 'bulk', 'Bulk') on conflict do nothing", [
    organizationId,
  ]);
  const { rows } = await owner.query<{ id: string }>(
    `select id from devices where organization_id = $1 and archived_at is null and expires_on > current_date
      and started_on <= current_date order by serial limit $2`,
    [organizationId, MOVED],
  );
  const ids = rows.map(({ id }) => id);
  const move = (key: string) =>
    owner.query('update devices set group_key = $3, version = version + 1 where organization_id = $1 and id = any ($2)', [
      organizationId,
      ids,
      key,
    ]);
  // The server writes the presence of the same devices, in another order.
  const set = (key: string) =>
    move(key).catch((error: { code?: string }) => (error.code === DEADLOCK ? move(key) : Promise.reject(error)));
  const ours: number[] = [];
  const raw: number[] = [];
  const seen: number[] = [];
  for (let round = 0; round < MOVES; round++) {
    await set('default+group+id');
    let progress = 0;
    ours.push(await timed(async () => (progress = await job(url, bearer, ids))));
    seen.push(progress);
    await set('default+group+id');
    raw.push(await timed(() => set('bulk')));
  }
  const [median, rawMedian] = [middle(ours), middle(raw)];
  return {
    name: `job that moves ${whole(ids.length)} devices; its progress was read ${Math.min(...seen)} to ${Math.max(...seen)} times`,
    unit: 'ms',
    ours: [median],
    raw: [rawMedian],
    aim: assessed(`≤ ${MOST_RATIO} ×`, median / rawMedian <= MOST_RATIO),
  };
}

/** Starts the job and reads its progress until it ended. @returns how often it was read before */
async function job(url: string, bearer: string, devices: readonly string[]): Promise<number> {
  const headers = { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' };
  const respond = async (response: Response): Promise<bulkJobs.BulkJob> => {
    if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`);
    return ((await response.json()) as { result: bulkJobs.BulkJob }).result;
  };
  const body = JSON.stringify({ action: { kind: 'move', group: 'bulk' }, selection: { devices } });
  let now = await respond(await fetch(`${url}${bulkJobs.startJob.path}`, { method: 'POST', headers, body }));
  let read = 0;
  while (now.ended === null) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    now = await respond(await fetch(`${url}${bulkJobs.getJob.path.replace('{job}', now.id)}`, { headers }));
    read += 1;
  }
  if (now.done !== devices.length) throw new Error(`${now.done} of ${devices.length} devices moved.`);
  return read;
}

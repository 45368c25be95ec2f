import { setTimeout as pause } from 'node:timers/promises';
import type { BenchDatabase } from './cluster.ts';
import type { HttpClient } from './http-client.ts';
import { percentile, timed } from './measure.ts';
import { options } from './options.ts';
import { assessed, whole, type Figure } from './table.ts';

/** Vehicles of the document. */
export const PRINTED = 200;

const SCHEDULED = options.short ? 100 : 1_000;

const SCHEDULED_PATH = '/data_manager/v1/dm/summaries';

export const GROUP = 'printed';

/** Seconds by the clock, and of the processors of the program and of PostgreSQL together. */
export interface Spent {
  readonly clock: number;
  readonly processors: number;
}

export type Measure = (work: () => Promise<unknown>) => Promise<Spent>;

/** Many documents that are due at the same minute, while someone reads a list. */
export async function benchSchedule(database: BenchDatabase, client: HttpClient, spent: Measure): Promise<Figure[]> {
  const list = () => timed(() => client.get('/data_manager/v1/dm/devices', { limit: '50' }));
  const samplesOf = async (goesOn: (count: number) => boolean) => {
    const samples: number[] = [];
    while (goesOn(samples.length)) {
      samples.push(await list());
      await pause(100);
    }
    return samples;
  };
  const quiet = await samplesOf((count) => count < (options.short ? 10 : 100));
  await schedule(database, client);
  let isOver = false;
  const busy = samplesOf(() => !isOver);
  const { clock, processors } = await spent(async () => {
    await database.owner.query('update summaries set next_at = now()');
    while ((await countSent(database)) < SCHEDULED) await pause(500);
  });
  isOver = true;
  const [before, during] = [percentile(quiet, 0.95), percentile(await busy, 0.95)];
  return [
    {
      name: `${whole(SCHEDULED)} scheduled documents of ${PRINTED / 10} vehicles sent`,
      unit: 's',
      ours: [clock],
      aim: assessed('≤ 600 s for 1,000', (clock / SCHEDULED) * 1_000 <= 600),
    },
    { name: '  processors for one, with PostgreSQL', unit: 'ms', ours: [(processors / SCHEDULED) * 1_000] },
    {
      name: '  a page of devices then, p95; before',
      unit: 'ms',
      ours: [during],
      raw: [before],
      aim: assessed('≤ 1.5×', during <= 1.5 * before),
    },
  ];
}

/** Save one by a call, and as many in its likeness. */
async function schedule({ owner }: BenchDatabase, client: HttpClient): Promise<void> {
  const saved = { name: 'Monthly', kind: 'inventory', format: 'pdf', group: `${GROUP}-few`, zone: 'UTC', language: 'en-US' };
  const { rows } = await owner.query<{ email: string }>('select email from accounts where organization_id is not null limit 1');
  const body = { ...saved, every: 'month', onDay: 1, hour: 6, recipients: [rows[0]?.email ?? 'reader@highline.invalid'] };
  await client.post(SCHEDULED_PATH, body);
  const { rows: columns } = await owner.query<{ names: string }>(
    `select string_agg(quote_ident(column_name), ', ') as names from information_schema.columns where table_schema = 'public' and table_name = 'summaries' and column_name <> 'id'`,
  );
  const names = columns[0]!.names;
  await owner.query(
    `insert into summaries (id, ${names}) select gen_random_uuid(), ${names} from summaries, generate_series(2, ${SCHEDULED})`,
  );
}

async function countSent({ owner }: BenchDatabase): Promise<number> {
  const { rows } = await owner.query<{ sent: number; failed: string | null }>(
    `select count(*) filter (where state = 'sent')::int as sent, max(reason) filter (where state = 'failed') as failed from summary_runs`,
  );
  if (rows[0]!.failed !== null) throw new Error(`A report was not sent: ${rows[0]!.failed}`);
  return rows[0]!.sent;
}

import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { send } from '@highline/testkit/calls';
import { openEventStream, startNatsServer, startS3Server } from '@highline/testkit/services';
import { seedOrganization, startHighline, type Cluster } from './cluster.ts';
import { percentile } from './measure.ts';
import { options } from './options.ts';
import { assessed, printTable } from './table.ts';

const NODES = 3;
const PEOPLE = options.short ? 3 : 30;
const MOST_S = 10;

/** From the call of a directory that deactivates someone to the end of the person's streams at every node, and of session and key (IAM-02). */
export async function benchDeactivation(cluster: Cluster): Promise<void> {
  const [nats, s3] = await Promise.all([startNatsServer(), startS3Server()]);
  const database = await cluster.open('bench_deactivation');
  const owner = await seedOrganization(database);
  const settings = {
    HIGHLINE_MASTER_KEY: randomBytes(32).toString('hex'),
    NATS_URL: nats.url(),
    BLOBS_URL: await s3.bucketUrl('deactivation'),
  };
  const nodes = [];
  for (let index = 0; index < NODES; index += 1)
    nodes.push(
      await startHighline(cluster, database, { ...settings, HIGHLINE_DATA_DIR: join(cluster.folder, `deactivation-${index}`) }),
    );
  try {
    const urls = nodes.map(({ url }) => url);
    const body = { org: owner.organizationId, name: 'Directory', days: 1 };
    const made = await send(`${urls[0]}/data_manager/v1/dm/scim/secrets`, { bearer: owner.admin.bearer, body });
    const { secret } = made.json<{ secret: string }>();
    const samples: number[] = [];
    for (let round = 0; round < PEOPLE; round += 1) {
      const id = await database.seeding.account(owner.scope, `leaver-${round}@bench.example`, 'admin');
      samples.push(await deactivate(urls, { id, bearer: await database.seeding.bearer(id), secret, org: owner.organizationId }));
    }
    print(samples);
  } finally {
    for (const node of nodes) await node.stop();
    await database.close();
    await Promise.all([nats.close(), s3.close()]);
  }
}

function print(samples: readonly number[]): void {
  const all = [percentile(samples, 0.5), Math.max(...samples)];
  printTable(
    `Deactivation by a directory, ${NODES} nodes`,
    [
      {
        name: 'to the end of everything, p50 / longest',
        unit: 's',
        ours: all,
        aim: assessed(`≤ ${MOST_S} s`, all[1]! <= MOST_S),
      },
    ],
    [`${PEOPLE} people, each with an event stream at every node and an API key.`],
  );
}

interface Leaver {
  readonly id: string;
  readonly bearer: string;
  /** Of the directory. */
  readonly secret: string;
  readonly org: string;
}

/** @returns seconds until nothing of the person is open anywhere */
async function deactivate(urls: readonly string[], { id, bearer, secret, org }: Leaver): Promise<number> {
  const [first, ...others] = urls as [string, ...string[]];
  const made = await send(`${first}/data_manager/v1/dm/api_keys`, {
    bearer,
    body: { org, name: 'Key', operations: ['devices.list'] },
  });
  const key = made.json<{ secret: string }>().secret;
  const streams = await Promise.all(urls.map((url) => openEventStream(url, bearer, { org })));
  const begin = performance.now();
  const done = await send(`${first}/scim/v2/Users/${id}`, {
    method: 'PATCH',
    bearer: secret,
    body: { Operations: [{ op: 'replace', path: 'active', value: false }] },
  });
  if (done.status !== 200) throw new Error(`${done.status} ${done.text}`);
  await Promise.all(streams.map(({ ended }) => ended));
  for (const url of others)
    for (const as of [bearer, key])
      for (;;) {
        const { status } = await send(`${url}/data_manager/v1/dm/devices?limit=1`, { bearer: as });
        if (status === 401) break;
      }
  return (performance.now() - begin) / 1_000;
}

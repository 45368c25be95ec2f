import { argon2, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { ask } from '@highline/testkit/calls';
import { startHighline, type Cluster } from './cluster.ts';
import { benchDeactivation } from './deactivation.ts';
import { percentile, timed } from './measure.ts';
import { options } from './options.ts';
import { benchProviderSignIn } from './sign-in.provider.ts';
import { printTable } from './table.ts';

const SIGN_INS = options.short ? 10 : 200;
/** As many at once as the server derives at once. */
const AT_ONCE = 2;
const PASSWORD = 'a long enough passphrase';

const derive = promisify(argon2);

interface Pace {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
}

/** Sign-ins per second compared with bare argon2id of the same settings (issue 4, "Speed and memory"); by a provider; and how soon one is over. */
export async function benchSignIn(cluster: Cluster): Promise<void> {
  const database = await cluster.open('bench_sign_in');
  const { scope } = await database.seeding.mainAccount('Bench');
  const emails = Array.from({ length: AT_ONCE }, (_, lane) => `bench-${lane}@highline.invalid`);
  for (const email of emails) await database.seeding.account(scope, email, 'main', PASSWORD);
  const server = await startHighline(cluster, database);
  const ours = await paced((lane) => signIn(server.url, emails[lane]!));
  await server.stop();
  await database.close();
  const bare = await paced(bareArgon2);
  printTable(
    'Sign-in',
    [
      {
        name: `sign-ins per second, ${AT_ONCE} at once`,
        unit: '/s',
        ours: [ours.perSecond],
        raw: [bare.perSecond],
        aim: 'recorded',
      },
      { name: '  one of them, p50 / p99', unit: 'ms', ours: [ours.p50, ours.p99], raw: [bare.p50, bare.p99] },
    ],
    [`Ceiling: argon2id of 19 MiB and two passes in this process, ${AT_ONCE} at once, ${SIGN_INS} of each.`],
  );
  await benchProviderSignIn(cluster);
  await benchDeactivation(cluster);
}

async function signIn(url: string, email: string): Promise<void> {
  await ask(`${url}/dmp_aa/api/v1/auth/token`, { body: { email, password: PASSWORD } });
}

/** The settings of the accounts domain. */
const bareArgon2 = () =>
  derive('argon2id', {
    message: Buffer.from(PASSWORD),
    nonce: randomBytes(16),
    parallelism: 1,
    tagLength: 32,
    memory: 19_456,
    passes: 2,
  });

async function paced(work: (lane: number) => Promise<unknown>): Promise<Pace> {
  const samples: number[] = [];
  const lane = async (number: number) => {
    for (let left = SIGN_INS / AT_ONCE; left > 0; left -= 1) samples.push(await timed(() => work(number)));
  };
  const total = await timed(() => Promise.all(Array.from({ length: AT_ONCE }, (_, number) => lane(number))));
  return { perSecond: (SIGN_INS / total) * 1000, p50: percentile(samples, 0.5), p99: percentile(samples, 0.99) };
}

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ask, send } from '@highline/testkit/calls';
import { startIdentityProvider, type IdentityProvider } from '@highline/testkit/identity-provider';
import { seedOrganization, startHighline, type BenchDatabase, type Cluster } from './cluster.ts';
import { percentile, timed } from './measure.ts';
import { options } from './options.ts';
import { assessed, printTable } from './table.ts';

const SIGN_INS = options.short ? 10 : 100;
const PASSWORD = 'a long enough passphrase';
const DOMAIN = 'metro.example';
const CLIENT = { id: 'bench', secret: 'secret of the benchmark' };
/** As often as a password takes. */
const MOST = 3;

/** Our part of a sign-in by a provider, over TLS to a real one, next to a sign-in by password, in turn (IAM-01). */
export async function benchProviderSignIn(cluster: Cluster): Promise<void> {
  const identity = await startIdentityProvider();
  const folder = mkdtempSync(join(tmpdir(), 'highline-bench-ca-'));
  const ca = join(folder, 'ca.pem');
  writeFileSync(ca, identity.ca);
  const database = await cluster.open('bench_sign_in_provider');
  const owner = await seedOrganization(database);
  const server = await startHighline(cluster, database, {
    NODE_EXTRA_CA_CERTS: ca,
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8,::1',
  });
  try {
    await addProvider(server.url, owner.admin.bearer, database, identity);
    await database.seeding.account(owner.scope, `word@${DOMAIN}`, 'user', PASSWORD);
    const samples = { provider: [] as number[], password: [] as number[] };
    for (let round = 0; round < SIGN_INS; round += 1) {
      samples.provider.push(await signInByProvider(server.url, identity));
      samples.password.push(await timed(() => signInByPassword(server.url)));
    }
    print(samples);
  } finally {
    await server.stop();
    await database.close();
    await identity.close();
    rmSync(folder, { recursive: true });
  }
}

function print({ provider, password }: { readonly provider: readonly number[]; readonly password: readonly number[] }): void {
  const [ours, raw] = [percentile(provider, 0.5), percentile(password, 0.5)];
  printTable(
    'Sign-in by a provider',
    [
      {
        name: 'both of our calls, p50 / p99',
        unit: 'ms',
        ours: [ours, percentile(provider, 0.99)],
        raw: [raw, percentile(password, 0.99)],
        aim: assessed(`≤ ${MOST} × by password`, ours <= MOST * raw),
      },
    ],
    [
      `Ceiling: sign-in by password; ${SIGN_INS} of each in turn. What people do at the provider is not counted, its token endpoint is.`,
    ],
  );
}

/** A provider of the organization, whose domain counts as confirmed. */
async function addProvider(url: string, bearer: string, { owner }: BenchDatabase, identity: IdentityProvider): Promise<void> {
  await ask(`${url}/dmp_aa/api/v1/identityProviders`, {
    bearer,
    body: {
      name: 'Bench',
      issuer: identity.issuer,
      clientId: CLIENT.id,
      clientSecret: CLIENT.secret,
      scopes: 'openid email profile',
      defaultRole: 'user',
      domains: [DOMAIN],
    },
  });
  await owner.query("update identity_domains set confirmed = 'dns', confirmed_at = now()");
  await identity.setClients([{ ...CLIENT, redirectUri: `${url}/console/oidc/callback` }]);
  await identity.setPeople({ ann: { email: `ann@${DOMAIN}`, email_verified: true, name: 'Ann' } });
}

/** @returns how long our two calls took, ms */
async function signInByProvider(url: string, identity: IdentityProvider): Promise<number> {
  let begun: Awaited<ReturnType<typeof send>> | undefined;
  const first = await timed(async () => {
    begun = await send(`${url}/dmp_aa/api/v1/auth/provider`, { body: { email: `ann@${DOMAIN}` } });
  });
  if (begun?.status !== 200) throw new Error(`${begun?.status} ${begun?.text}`);
  const back = await identity.browse().signIn(begun.json<{ result: { url: string } }>().result.url, 'ann');
  const cookie = /^idp=[^;]+/u.exec(begun.headers.getSetCookie().find((line) => line.startsWith('idp=')) ?? '')?.[0] ?? '';
  let ended: Awaited<ReturnType<typeof send>> | undefined;
  const second = await timed(async () => {
    ended = await send(back, { cookie });
  });
  if (ended?.headers.get('location') !== '/') throw new Error(`${ended?.status} ${ended?.headers.get('location')}`);
  return first + second;
}

async function signInByPassword(url: string): Promise<void> {
  await ask(`${url}/dmp_aa/api/v1/auth/token`, { body: { email: `word@${DOMAIN}`, password: PASSWORD } });
}

// `identity-provider-process.ts <certificate> <key>`: a real identity provider over TLS, of oidc-provider. It is controlled by messages of its
// parent, and reports its port.
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';
import type { ProviderClient, ProviderOrder, ProviderPerson } from './identity-provider.ts';

const [, , cert = '', key = ''] = process.argv;
const newKey = () => ({
  ...generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey.export({ format: 'jwk' }),
  kid: randomUUID(),
  use: 'sig',
  alg: 'RS256',
});

let clients: readonly ProviderClient[] = [];
let people: Readonly<Record<string, ProviderPerson>> = {};
let keys = [newKey()];
let provider: Provider | undefined;

const server = createServer({ cert: readFileSync(cert), key: readFileSync(key) }, (request, response) => {
  if (provider === undefined) response.writeHead(503).end();
  else provider.callback()(request, response);
});

/** Codes, sessions and grants, which outlive the change of a key. */
const stored = new Map<string, Record<string, unknown>>();

/** Keeps them for the library, which has one of these for each kind. */
class Store {
  readonly #kind: string;
  constructor(kind: string) {
    this.#kind = kind;
  }

  #find = (isIt: (value: Record<string, unknown>, key: string) => boolean) =>
    [...stored].find(([key, value]) => key.startsWith(`${this.#kind} `) && isIt(value, key))?.[1];

  async upsert(id: string, value: Record<string, unknown>) {
    stored.set(`${this.#kind} ${id}`, value);
  }

  async find(id: string) {
    return stored.get(`${this.#kind} ${id}`);
  }

  async findByUid(uid: string) {
    return this.#find((value) => value['uid'] === uid);
  }

  async consume(id: string) {
    stored.get(`${this.#kind} ${id}`)!['consumed'] = true;
  }

  async destroy(id: string) {
    stored.delete(`${this.#kind} ${id}`);
  }

  async revokeByGrantId(grantId: string) {
    for (const [key, value] of stored) if (value['grantId'] === grantId) stored.delete(key);
  }
}

function open(): void {
  const { port } = server.address() as AddressInfo;
  provider = new Provider(`https://localhost:${port}`, {
    clients: clients.map(({ id, secret, redirectUri, logoutUri }) => ({
      client_id: id,
      client_secret: secret,
      redirect_uris: [redirectUri],
      grant_types: ['authorization_code'],
      ...(logoutUri === undefined ? {} : { backchannel_logout_uri: logoutUri, backchannel_logout_session_required: true }),
    })),
    jwks: { keys },
    adapter: Store,
    // Its own does not call loopback.
    fetch: (url: string, { dispatcher: _, ...options }: RequestInit & { dispatcher?: unknown }) => fetch(url, options),
    cookies: { keys: ['of a test'] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'], groups: ['groups'] },
    conformIdTokenClaims: false,
    features: { backchannelLogout: { enabled: true }, rpInitiatedLogout: { enabled: true } },
    findAccount: (_context: unknown, sub: string) => ({ accountId: sub, claims: () => ({ sub, ...people[sub] }) }),
  });
}

// Its parent is gone, however that ended.
process.on('disconnect', () => process.exit());
process.on('message', (order: ProviderOrder) => {
  ({ clients = clients, people = people } = order);
  if (order.rotate === true) keys = [newKey()];
  if (order.people === undefined) open();
  process.send!({ done: true });
});
server.listen(0, '127.0.0.1', () => process.send!({ port: (server.address() as AddressInfo).port }));

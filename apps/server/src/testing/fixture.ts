import type { Role } from '@highline/contract';
import type { Seeding } from './seeding.ts';
import type { TestServer } from './server.ts';
import type { Tenant } from './tenants.ts';

/** One request of the matrix. */
export interface Request {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly file?: string | Uint8Array<ArrayBuffer>;
}

export interface Fixture {
  /** Foreign ids that a call can name: an organization, ids inside one, ids of the main account, or none. */
  readonly names: 'nothing' | 'organization' | 'ids' | 'main-ids';
  /** A request that succeeds when both tenants are the caller's own. */
  make(scope: Tenant, ids: Tenant, role?: Role): Request;
  /** Prerequisites of the request, besides the standard data of every tenant. */
  prepare?(tenant: Tenant, seeding: Seeding, server: Pick<TestServer, 'url' | 'connectRouter' | 'owner'>): Promise<void>;
  /** Text in a successful answer: the positive case, so that an empty answer cannot pass as an isolated one. */
  shows?(tenant: Tenant): string;
}

/** Requests of one domain, by operation id. */
export type Fixtures = Readonly<Record<string, Fixture>>;

/** A call without ids that could be foreign. */
export const nothing: Fixture = { names: 'nothing', make: () => ({}) };

/** A list of one organization; `shows` is part of its rows. */
export const listOf = (shows: NonNullable<Fixture['shows']>): Fixture => ({
  names: 'organization',
  make: (scope) => ({ query: { org: scope.organizationId } }),
  shows,
});

/** Yesterday and tomorrow: what a tenant's router reported may be from before midnight. */
export function aroundNow(): { readonly on: string; readonly to: string } {
  const now = Math.floor(Date.now() / 1_000);
  return { on: String(now - 86_400), to: String(now + 86_400) };
}

const connected = new WeakSet<Tenant>();

/** Of a radio that is switched off, and one client by cable. */
const values = new Map([
  ['Device.WiFi.Radio.1.Enable', 'false'],
  ['Device.IP.Interface.2.LowerLayers', 'Device.Ethernet.Interface.1'],
  ['Device.IP.Interface.2.IPv4Address.1.IPAddress', '192.168.1.1'],
  ['Device.IP.Interface.2.IPv4Address.1.SubnetMask', '255.255.255.0'],
  ['Device.Hosts.HostNumberOfEntries', '1'],
  ['Device.Hosts.Host.1.PhysAddress', '00:1B:54:00:00:01'],
  ['Device.Hosts.Host.1.IPAddress', '192.168.1.11'],
]);

/** A reachable router. */
export async function withRouter(tenant: Tenant, _seeding: Seeding, server: Pick<TestServer, 'connectRouter'>): Promise<void> {
  if (connected.has(tenant)) return;
  await server.connectRouter({ ...tenant.loose, values });
  connected.add(tenant);
}

import type { Seeding } from '../seeding.ts';
import type { TestServer } from '../server.ts';
import type { Tenant } from '../tenants.ts';

/** One request of the matrix. */
export interface Request {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly file?: string | Uint8Array<ArrayBuffer>;
}

export interface Fixture {
  /** What a call names that could be foreign: an organization, ids inside one, ids of the main account, or nothing at all. */
  readonly names: 'nothing' | 'organization' | 'ids' | 'main-ids';
  /** A request that works when both tenants are the caller's own. */
  make(scope: Tenant, ids: Tenant): Request;
  /** What a tenant's people need before the request works, besides what every tenant has. */
  prepare?(tenant: Tenant, seeding: Seeding, server: Pick<TestServer, 'url' | 'connectRouter' | 'owner'>): Promise<void>;
  /** Text that a successful answer holds: the positive case, so that an empty answer cannot pass for an isolated one. */
  shows?(tenant: Tenant): string;
}

/** Requests of one room, by the id of their operation. */
export type Fixtures = Readonly<Record<string, Fixture>>;

/** A call that names nothing which could be foreign. */
export const nothing: Fixture = { names: 'nothing', make: () => ({}) };

/** A list of one organization; `shows` is what its rows hold. */
export const listOf = (shows: NonNullable<Fixture['shows']>): Fixture => ({
  names: 'organization',
  make: (scope) => ({ query: { org: scope.organizationId } }),
  shows,
});

/** The last day and the next: what a tenant's router told is of today, or of yesterday by now. */
export function aroundNow(): { readonly on: string; readonly to: string } {
  const now = Math.floor(Date.now() / 1_000);
  return { on: String(now - 86_400), to: String(now + 86_400) };
}

/** A router that can be reached. */
export async function withRouter({ loose }: Tenant, _seeding: Seeding, server: Pick<TestServer, 'connectRouter'>): Promise<void> {
  await server.connectRouter(loose);
}

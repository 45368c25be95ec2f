import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { pino } from 'pino';
import { createDatabase, openDatabase, systemClock } from '@highline/testkit/database';
import { type FleetHandle, type FleetStartOptions, startFleet } from '@highline/testkit/router';
import { storesOfDemo } from '@highline/testkit/demo';
import { readMails } from '@highline/testkit/mail';
import { createSeeding, type MainScope, type OrganizationScope, type Seeding, recordAudit } from '@highline/testkit/seeding';
import { SERVER_VARIABLE, type ServerUnderTest } from './server.setup.ts';

/** A router is off, or without coverage, until the test changes it: `reboot()` switches it on, `lostCoverage(0)` restores coverage. */
export const INDEFINITE_MS = 3_600_000;

export const PASSWORD = 'a long enough passphrase';

/** A user who can sign in: on the page with email and password, or directly with id and bearer. */
export interface Person {
  readonly id: string;
  readonly email: string;
  readonly bearer: string;
}

export interface TenantRouter {
  readonly serial: string;
  readonly mac: string;
  readonly secret: string;
}

/** One spec's own main account with two organizations, so that specs cannot disturb each other. */
export interface Tenant {
  readonly server: ServerUnderTest;
  readonly seeding: Seeding;
  readonly owner: Client;
  readonly mark: string;
  readonly main: MainScope;
  readonly org: OrganizationScope;
  readonly orgName: string;
  readonly other: OrganizationScope;
  readonly otherName: string;
  readonly users: { readonly main: Person; readonly admin: Person; readonly user: Person };
  /** Routers in stock, and in the organization when `claimed`. */
  routers(
    count: number,
    options?: {
      readonly claimed?: boolean;
      readonly expired?: string;
      readonly group?: string;
      readonly org?: OrganizationScope;
    },
  ): Promise<TenantRouter[]>;
  /** The EIDs that routers reported, in the order of the given serial numbers; '' for one that did not. */
  eids(serials: readonly string[]): Promise<string[]>;
  /** Switch routers on, with different behaviour if `parts` is given. */
  fleet(
    routers: readonly TenantRouter[],
    more?: Readonly<Record<string, unknown>>,
    parts?: Pick<FleetStartOptions, 'model'>,
  ): FleetHandle;
  /** A person of the organization with a session. */
  person(role: 'main' | 'admin' | 'user' | 'none', password?: string): Promise<Person>;
  /** An entry of an organization's log, as the server writes it. */
  audit(
    org: OrganizationScope,
    who: { readonly email: string; readonly address: string },
    action: string,
    at: Date,
  ): Promise<void>;
  /** An entry about one device. */
  auditDevice(org: OrganizationScope, device: string, action: string, at: Date): Promise<void>;
  /** Texts of the emails to an address, newest first. */
  mailsTo(email: string): Promise<string[]>;
  close(): Promise<void>;
}

export function serverUnderTest(): ServerUnderTest {
  return JSON.parse(process.env[SERVER_VARIABLE] ?? '{}') as ServerUnderTest;
}

export async function createTenant(): Promise<Tenant> {
  const server = serverUnderTest();
  const opened = await openDatabase(
    { kind: 'external', url: server.ownerUrl, serveUrl: server.serveUrl, poolSize: 3 },
    pino({ level: 'silent' }),
  );
  const owner = new Client(server.ownerUrl);
  await owner.connect();
  const database = createDatabase(opened.pool, () => {});
  const stores = storesOfDemo(server.dataDir);
  const seeding = createSeeding(database, systemClock, stores);
  const trustedKeys = [stores.signer.publicKey.export({ type: 'spki', format: 'pem' }).toString()];
  const mark = randomBytes(3).toString('hex').toUpperCase();
  const { scope: main } = await seeding.mainAccount(`Main ${mark}`);
  const orgName = `Own ${mark}`;
  const otherName = `Other ${mark}`;
  const org = await seeding.organization(main, orgName);
  const other = await seeding.organization(main, otherName);
  const fleets: FleetHandle[] = [];
  let counter = 0;

  const person: Tenant['person'] = async (role, password) => {
    counter += 1;
    const email = `${role}-${counter}-${mark.toLowerCase()}@highline.example`;
    const id = await seeding.account(role === 'main' ? main : org, email, role, password);
    return { id, email, bearer: await seeding.bearer(id) };
  };

  return {
    server,
    seeding,
    owner,
    mailsTo: async (email) => (await readMails(owner, stores.mails, email)).map(({ plain }) => plain),
    mark,
    main,
    org,
    orgName,
    other,
    otherName,
    users: { main: await person('main'), admin: await person('admin'), user: await person('user') },
    person,
    async routers(count, { claimed = true, expired, group, org: into = org } = {}) {
      const inputs = Array.from({ length: count }, () => {
        counter += 1;
        return { serial: `E2E-${mark}-${String(counter).padStart(3, '0')}`, mac: randomBytes(6).toString('hex').toUpperCase() };
      });
      const registered = await seeding.routers(main, inputs);
      const claims = inputs.map((router) => ({
        ...router,
        ...(expired === undefined ? {} : { expired }),
        ...(group === undefined ? {} : { group }),
      }));
      if (claimed) await seeding.devices(into, claims);
      return registered.map(({ serial, mac, secret }) => ({ serial, mac, secret }));
    },
    fleet(routers, more = {}, parts = {}) {
      const fleet = startFleet({
        ...parts,
        server: server.url.replace('http', 'ws'),
        routers: routers.map((router) => ({
          ...router,
          model: 'HL-R520 5G',
          firmware: '2.8.1',
          config: 'depot.cfg',
          carrier: 'Verizon',
          ...more,
        })),
        trustedKeys,
        timing: {
          silenceMs: 12_000,
          backoff: { minMs: 200, maxMs: 1_000, rejectedMs: 2_000, serverRestartMs: 1_000 },
          bootMs: 500,
          callHomeMs: 4_000,
          profileMs: 1_500,
        },
      });
      fleets.push(fleet);
      return fleet;
    },
    async eids(serials) {
      const { rows } = await owner.query<{ serial: string; eid: string | null }>(
        'select serial, eid from devices where serial = any ($1)',
        [serials],
      );
      const reported = new Map(rows.map(({ serial, eid }) => [serial, eid ?? '']));
      return serials.map((serial) => reported.get(serial) ?? '');
    },
    audit(into, who, action, at) {
      const event = { action, subject: { kind: 'device', id: 'x' }, detail: {} };
      return database.write((tx) => recordAudit(tx, into.organizationId, { ...who, accountId: null, role: 'admin' }, event, at));
    },
    auditDevice(into, device, action, at) {
      const who = { accountId: null, email: 'kim@highline.example', role: 'admin', address: '192.0.2.77' };
      const event = { action, subject: { kind: 'device', id: device }, detail: {} };
      return database.write((tx) => recordAudit(tx, into.organizationId, who, event, at));
    },
    async close() {
      await Promise.all(fleets.map((fleet) => fleet.stop()));
      await owner.end();
      await opened.close();
    },
  };
}

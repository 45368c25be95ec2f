import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAccount } from '../domains/accounts/index.ts';
import { uploadConfig, type Seal } from '../domains/configs/index.ts';
import { addDevices } from '../domains/devices/index.ts';
import { addProfile, type CodeSeal, type ProfileInput } from '../domains/esims/index.ts';
import { uploadFirmware } from '../domains/firmware/index.ts';
import { createGroup } from '../domains/groups/index.ts';
import { registerRouters, type RegisteredRouter, type RouterToRegister } from '../domains/inventory/index.ts';
import { createOrganization } from '../domains/organizations/index.ts';
import { bindFile, type BindingInput } from '../domains/rollouts/index.ts';
import { newId, type Actor, type MainScope, type OrganizationScope, type Sealing } from '../kernel/index.ts';
import type { BlobStore, Clock, Database } from '../platform/ports/index.ts';
import { hashCheaply } from './cheap-password.ts';
import { imageOf, type Signer, type TestImage } from './images.ts';
import { silentLog } from './log.ts';

export { recordAudit } from '../domains/logs/index.ts';
export type { MainScope, OrganizationScope } from '../kernel/scope.ts';

/** File stores and trusted keys of the server under test. */
export interface SeedingStores {
  readonly blobs: BlobStore;
  readonly seal: Seal;
  readonly signer: Signer;
  /** For second factors. */
  readonly factors?: Sealing;
  /** For activation codes. */
  readonly codes?: CodeSeal;
}

/** Someone who is signed in. */
export interface SeededPerson {
  readonly id: string;
  readonly email: string;
  readonly bearer: string;
}

let people = 0;

/** Creates tenants through the public APIs of the domains, for tests and benchmarks. */
export interface Seeding {
  /** Everything that `work` seeds in one transaction: a tenant has some forty parts, and then costs a tenth less. */
  together<Result>(work: (seeding: Seeding, database: Database) => Promise<Result>): Promise<Result>;
  /** A main account with one user. @returns its scope and that user */
  mainAccount(name: string): Promise<{ scope: MainScope; actor: Actor }>;
  organization(main: MainScope, name: string): Promise<OrganizationScope>;
  group(scope: OrganizationScope, name: string): Promise<string>;
  /** An account; most tests use a bearer instead of a password. @returns its id */
  account(
    scope: MainScope | OrganizationScope,
    email: string,
    role: 'main' | 'admin' | 'user' | 'none',
    password?: string,
  ): Promise<string>;
  password(accountId: string, password: string): Promise<void>;
  /** A second factor, as if its owner had scanned this secret and, if confirmed, entered a first code. */
  secondFactor(accountId: string, secret: Buffer, confirmed: boolean): Promise<void>;
  /** An account with an address of its own, signed in. */
  person(
    scope: MainScope | OrganizationScope,
    role: 'main' | 'admin' | 'user' | 'none',
    password?: string,
  ): Promise<SeededPerson>;
  /** A session of an account. @returns the bearer */
  bearer(accountId: string): Promise<string>;
  routers(main: MainScope, routers: readonly RouterToRegister[]): Promise<readonly RegisteredRouter[]>;
  /** An image that the server under test trusts. */
  image(image: TestImage): Buffer<ArrayBuffer>;
  /** Such an image, added to the catalogue. @returns its pk */
  firmware(main: MainScope, image: TestImage & { readonly note?: string }): Promise<string>;
  /** @returns the file's pk */
  config(
    scope: OrganizationScope,
    file: { readonly name: string; readonly note?: string; readonly contents?: string },
  ): Promise<string>;
  /** Bind a file to a group. @returns the rollout's id */
  binding(scope: OrganizationScope, input: BindingInput): Promise<string>;
  /** Give a router an eSIM profile. @returns its pk */
  esim(scope: OrganizationScope, input: ProfileInput): Promise<string>;
  /** Claim routers for an organization. @returns device ids */
  devices(
    scope: OrganizationScope,
    routers: readonly {
      readonly serial: string;
      readonly mac: string;
      readonly group?: string;
      readonly started?: string;
      readonly expired?: string;
    }[],
  ): Promise<string[]>;
}

const system = { accountId: null, email: 'tests@highline.invalid', role: 'main', address: '127.0.0.1' };

/** @param stores required only for seeding files, second factors and activation codes */
export function createSeeding(database: Database, clock: Clock, stores?: SeedingStores): Seeding {
  const needStores = (): SeedingStores => {
    if (stores === undefined) throw new Error('This seeding has no stores for files.');
    return stores;
  };
  return {
    together: (work) =>
      database.write((tx) => {
        const joined: Database = { ...database, read: tx, write: (part) => part(tx) };
        return work(createSeeding(joined, clock, stores), joined);
      }),
    async mainAccount(name) {
      const scope: MainScope = { kind: 'main', mainAccountId: newId() };
      await database.write((tx) => tx.insertInto('main_accounts').values({ id: scope.mainAccountId, name }).execute());
      const accountId = await this.account(scope, `main-${scope.mainAccountId}@highline.invalid`, 'main');
      return { scope, actor: actorOf(scope, accountId) };
    },
    organization: (main, name) => database.write((tx) => createOrganization(tx, main, system, { name }, clock.now())),
    group: (scope, name) => database.write((tx) => createGroup(tx, scope, { name }, clock.now())),
    async account(scope, email, role, password) {
      const name = email.split('@')[0] ?? email;
      const id = await database.write((tx) => createAccount(tx, scope, { email, name, role, password: null }));
      if (password !== undefined) await this.password(id, password);
      return id;
    },
    async password(accountId, password) {
      const password_hash = await hashCheaply(password);
      await database.write((tx) => tx.updateTable('accounts').set({ password_hash }).where('id', '=', accountId).execute());
    },
    async secondFactor(accountId, secret, confirmed) {
      const { factors } = needStores();
      if (factors === undefined) throw new Error('This seeding has no sealing for second factors.');
      const row = { account_id: accountId, sealed_secret: factors.seal(accountId, secret) };
      const confirmed_at = confirmed ? clock.now() : null;
      await database.write((tx) =>
        tx
          .insertInto('second_factors')
          .values({ ...row, confirmed_at })
          .execute(),
      );
    },
    async person(scope, role, password) {
      const email = `person-${(people += 1)}@highline.invalid`;
      const id = await this.account(scope, email, role, password);
      return { id, email, bearer: await this.bearer(id) };
    },
    async bearer(accountId) {
      const bearer = randomBytes(32).toString('base64url');
      const expires = new Date(clock.now().getTime() + 86_400_000);
      const bearerHash = createHash('sha256').update(bearer).digest();
      await database.write((tx) =>
        tx
          .insertInto('sessions')
          .values({
            bearer_hash: bearerHash,
            account_id: accountId,
            expires_at: expires,
            address: '127.0.0.1',
            user_agent: 'tests',
          })
          .execute(),
      );
      return bearer;
    },
    routers: (main, routers) =>
      database.write(async (tx) => (await registerRouters(tx, main, system, routers, clock.now())).registered),
    image: (image) => imageOf(needStores().signer, image),
    async firmware(main, image) {
      const { blobs, signer } = needStores();
      const folder = await mkdtemp(join(tmpdir(), 'highline-image-'));
      const path = join(folder, 'image');
      const content = imageOf(signer, image);
      await writeFile(path, content);
      const deps = { database, blobs, clock, maxBytes: content.length, publicKeys: [signer.publicKey] };
      const { version, model: profile, note } = image;
      const file = { path, bytes: content.length, name: `${profile}-${version}.img` };
      try {
        return await uploadFirmware(deps, main, system, { version, profile, note, file });
      } finally {
        await rm(folder, { recursive: true });
      }
    },
    config: (scope, { name, note, contents = `# ${name}\n` }) =>
      uploadConfig({ database, clock, seal: needStores().seal }, scope, system, {
        fileName: name,
        note,
        contents: Buffer.from(contents),
      }),
    async binding(scope, input) {
      const actor = actorOf({ kind: 'main', mainAccountId: scope.mainAccountId }, newId());
      await bindFile({ database, clock, log: silentLog }, scope, actor, input);
      const row = await database.read
        .selectFrom('bindings')
        .select('id')
        .where('organization_id', '=', scope.organizationId)
        .where('group_key', '=', input.group)
        .where('kind', '=', input.kind)
        .where('ended_at', 'is', null)
        .executeTakeFirstOrThrow();
      return row.id;
    },
    async esim(scope, input) {
      const { codes } = needStores();
      if (codes === undefined) throw new Error('This seeding has no seal for activation codes.');
      return (await addProfile({ database, clock, codes }, scope, system, input)).profile.id;
    },
    devices: (scope, routers) =>
      addDevices(
        { database, clock, routersClaimed: () => undefined },
        scope,
        actorOf({ kind: 'main', mainAccountId: scope.mainAccountId }, newId()),
        routers.map(({ serial, mac, group, started, expired }) => ({
          serial_number: serial,
          mac,
          started: started ?? '01/01/2026',
          expired: expired ?? '12/31/2099',
          ...(group === undefined ? {} : { group }),
        })),
      ),
  };
}

function actorOf(scope: MainScope, accountId: string): Actor {
  return {
    ...system,
    accountId,
    name: 'Tests',
    role: 'main',
    mainAccountId: scope.mainAccountId,
    organizationId: null,
    sessionId: '',
  };
}

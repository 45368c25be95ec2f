import { createHash, randomBytes } from 'node:crypto';
import { makeEid } from '@highline/usp';
import { recordAudit } from '../domains/logs/index.ts';
import { newId, type MainScope, type OrganizationScope } from '../kernel/index.ts';
import type { Database, Tx } from '../platform/ports/database.ts';
import { pngOf } from './pictures.ts';
import type { Seeding } from './seeding.ts';

/** One organization with a device, a router in stock and three signed-in users. */
export interface Tenant {
  readonly mainAccountId: string;
  readonly organizationId: string;
  /** Another, empty organization of the same main account. */
  readonly branchId: string;
  readonly name: string;
  readonly groupName: string;
  readonly groupKey: string;
  /** In the group. */
  readonly deviceId: string;
  /** In the default group. */
  readonly looseDeviceId: string;
  readonly serial: string;
  /** The device in the default group, and its router's credentials. */
  readonly loose: { readonly serial: string; readonly secret: string; readonly endpointId: string };
  readonly accountId: string;
  /** Ids of the three signed-in users. */
  readonly users: { readonly main: string; readonly admin: string; readonly user: string };
  /** Another user of the main account itself. */
  readonly colleagueId: string;
  /** An account of the main account that is in no organization. */
  readonly looseAccountId: string;
  readonly stock: { readonly routerId: string; readonly serial: string; readonly mac: string };
  /** A client certificate of the router in stock. */
  readonly certificateId: string;
  /** Firmware of the main account's catalogue, and a signed image that is not in it. */
  readonly firmware: { readonly pk: string; readonly version: string; readonly image: Uint8Array<ArrayBuffer> };
  readonly config: { readonly pk: string; readonly name: string };
  /** A rollout of another config file to the group. */
  readonly rollout: { readonly id: string; readonly name: string };
  /** The EID of the device's router, and an eSIM profile that it could not download. */
  readonly eid: string;
  readonly esim: { readonly pk: string; readonly code: string };
  /** An undelivered mail. */
  readonly undeliveredMailId: string;
  /** A saved report and a pinned chart of each of the three signed-in users. */
  readonly reportId: string;
  readonly pinId: string;
  /** A view of the device list of each of the three users, that is not shared. */
  readonly viewIds: { readonly main: string; readonly admin: string; readonly user: string };
  /** A custom command that is not pinned. */
  readonly commandId: string;
  /** A restart that waits for the device in the group. */
  readonly sentCommandId: string;
  readonly geofenceId: string;
  /** An API key of the organization, made by its admin. */
  readonly apiKeyId: string;
  /** A role that the organization made, and a person who has it. */
  readonly ownRole: { readonly id: string; readonly holderId: string };
  /** Identity providers of the organization and of the main account, each with a domain. */
  readonly provider: { readonly id: string; readonly domain: string; readonly mainId: string; readonly mainDomain: string };
  /** A secret of the directory of the organization, and a group of it. */
  readonly scim: { readonly secret: string; readonly group: string };
  /** A webhook of the organization that is off, and a failed event of it. */
  readonly webhook: { readonly id: string; readonly deliveryId: string };
  /** A rule that is off, and an alert of it that fires for the device in the group. */
  readonly alert: { readonly id: string; readonly ruleId: string };
  /** Jobs about the device in the default group: two that can be undone, one of which it failed, and one that is not due yet. */
  readonly jobs: { readonly tags: string; readonly subscription: string; readonly failed: string; readonly active: string };
  /** Keys of a text property and a picture property; the first device has values of both. */
  readonly properties: { readonly text: string; readonly picture: string };
  /** A MAC address that no inventory contains. */
  readonly freshMac: string;
  readonly bearers: { readonly main: string; readonly admin: string; readonly user: string };
  /** Texts that no answer to an unrelated user may contain. */
  readonly canaries: readonly string[];
}

export interface Tenants {
  readonly own: Tenant;
  /** Another organization of the same main account. */
  readonly sibling: Tenant;
  /** An organization of another main account. */
  readonly foreign: Tenant;
  /** A new tenant in a new main account. */
  another(): Promise<Tenant>;
  /** The same as a tenant has, in a second group of its organization: the other half of one that limits people to groups. */
  secondGroupOf(tenant: Tenant): Promise<Tenant>;
}

export async function buildTenants(seeding: Seeding): Promise<Tenants> {
  const build = (main: MainScope, within?: OrganizationScope) =>
    seeding.together((parts, database) => buildTenant(database, parts, main, within));
  const home = (await seeding.mainAccount('Home')).scope;
  const foreignUser = (await seeding.mainAccount('Abroad')).scope;
  return {
    own: await build(home),
    sibling: await build(home),
    foreign: await build(foreignUser),
    another: async () => build((await seeding.mainAccount('Another')).scope),
    secondGroupOf: ({ mainAccountId, organizationId }) =>
      build({ kind: 'main', mainAccountId }, { kind: 'organization', mainAccountId, organizationId }),
  };
}

async function addCertificate(database: Database, { mainAccountId }: MainScope, routerId: string, at: Date): Promise<string> {
  const id = newId();
  const row = {
    id,
    main_account_id: mainAccountId,
    router_id: routerId,
    serial_number: '01',
    subject: 'CN=x',
    endpoint_id: 'user::x',
  };
  const stamps = { created_at: at, expires_at: new Date(at.getTime() + 86_400_000) };
  await database.write((tx) =>
    tx
      .insertInto('router_certificates')
      .values({ ...row, ...stamps, fingerprint: randomBytes(32) })
      .execute(),
  );
  return id;
}

const macAddress = () => randomBytes(6).toString('hex').toUpperCase();

async function buildTenant(database: Database, seeding: Seeding, main: MainScope, within?: OrganizationScope): Promise<Tenant> {
  const mark = randomBytes(5).toString('hex').toUpperCase();
  const name = `Org ${mark}`;
  const groupName = `Group ${mark}`;
  const serial = `SN${mark}`;
  const scope = within ?? (await seeding.organization(main, name));
  const branch = await seeding.organization(main, `Branch ${mark}`);
  const group = await seeding.group(scope, groupName);
  const [claimed, loose, stocked] = await seeding.routers(main, [
    { serial, mac: macAddress() },
    { serial: `${serial}-L`, mac: macAddress(), model: 'HL-MATRIX' },
    { serial: `${serial}-S`, mac: macAddress() },
  ]);
  const [deviceId, looseDeviceId] = await seeding.devices(scope, [
    { serial, mac: claimed!.mac, group },
    { serial: loose!.serial, mac: loose!.mac },
  ]);
  const at = new Date();
  await database.write((tx) => tx.insertInto('telemetry_reports').values({ router_id: claimed!.id, at, rssi: -70 }).execute());
  const version = `1.0-${mark}`;
  const firmware = await seeding.firmware(main, { model: 'HL-MATRIX', version });
  const config = { name: `${mark}.cfg` };
  const configPk = await seeding.config(scope, config);
  const bound = `${mark}-bound.cfg`;
  const file = await seeding.config(scope, { name: bound });
  const rollout = await seeding.binding(scope, { kind: 'config', group, file, schedule: 'immediate' });
  const actor = { accountId: null, email: `prepared-${mark}@highline.invalid`, role: 'admin', address: '192.0.2.1' };
  const event = { action: `Prepared ${name}`, subject: { kind: 'device', id: deviceId! }, detail: { mark } };
  await database.write((tx) => recordAudit(tx, scope.organizationId, actor, event, at));
  const eid = makeEid(Number.parseInt(mark, 16));
  const code = `1$smdp.highline.invalid$${mark}`;
  const input = { serial, eid, code, iccid: '', apn: 'internet', apn2: '', name: `eSIM ${mark}` };
  const esim = await seeding.esim(scope, input);
  await database.write((tx) =>
    tx.updateTable('esim_profiles').set({ status: 'Fail to download', due_at: null }).where('id', '=', esim).execute(),
  );
  const recipient = `recipient-${mark}@highline.invalid`.toLowerCase();
  const undeliveredMailId = newId();
  await database.write(async (tx) => {
    const organization_id = scope.organizationId;
    await tx
      .insertInto('notification_subscriptions')
      .values({ organization_id, mail: recipient, events: ['DEVICE_ADDED'], group_keys: null, language: null, zone: null })
      .execute();
    const undelivered = { subject: `To ${name}`, plain: '', html: '', last_error: '550 no such mailbox' };
    await tx
      .insertInto('mails')
      .values({ id: undeliveredMailId, organization_id, recipient, ...undelivered, attempts: 1, next_attempt_at: null })
      .execute();
  });
  const users = {
    main: await seeding.account(main, `main-${mark}@highline.invalid`, 'main'),
    admin: await seeding.account(scope, `admin-${mark}@highline.invalid`, 'admin'),
    user: await seeding.account(scope, `user-${mark}@highline.invalid`, 'user'),
  };
  await giveControl(database, scope, group, users.user, at);
  const commandId = await addCommand(database, scope, within === undefined ? 'Find it' : `Find ${mark}`, at);
  const sentCommandId = await addSentCommand(database, scope, { deviceId: deviceId!, serial, routerId: claimed!.id }, at);
  const apiKeyId = await addKey(database, scope, { mark, accountId: users.admin }, at);
  const holderId = await seeding.account(scope, `holder-${mark}@highline.invalid`, 'user');
  const ownRole = { id: await addRole(database, scope, { mark, holderId }, at), holderId };
  const webhook = await addWebhook(database, scope, { mark, name }, at);
  const provider = await addProviders(database, scope, mark, at);
  const scim = await addDirectory(database, scope, mark, at);
  const geofenceId = await addGeofence(database, scope, name, at);
  const jobs = await addJobs(database, scope, { deviceId: looseDeviceId!, serial: loose!.serial }, at);
  const alert = await addAlert(database, scope, { name, group, deviceId: deviceId!, serial }, at);
  const properties = await addProperties(database, scope, { mark, name, deviceId: deviceId! }, at);
  const kept = { reportId: newId(), pinId: newId() };
  for (const accountId of Object.values(users)) await keepForPerson(database, scope, accountId, name, kept);
  const viewIds = await addViews(database, scope, users, name, at);
  return {
    ...kept,
    viewIds,
    mainAccountId: main.mainAccountId,
    organizationId: scope.organizationId,
    branchId: branch.organizationId,
    name,
    groupName,
    groupKey: group,
    deviceId: deviceId!,
    looseDeviceId: looseDeviceId!,
    serial,
    loose: { serial: loose!.serial, secret: loose!.secret, endpointId: loose!.endpointId },
    accountId: users.user,
    users,
    colleagueId: await seeding.account(main, `colleague-${mark}@highline.invalid`, 'main'),
    looseAccountId: await seeding.account(main, `loose-${mark}@highline.invalid`, 'none'),
    certificateId: await addCertificate(database, main, stocked!.id, at),
    stock: { routerId: stocked!.id, serial: stocked!.serial, mac: stocked!.mac },
    firmware: { pk: firmware, version, image: seeding.image({ model: 'HL-MATRIX', version: `2.0-${mark}` }) },
    config: { pk: configPk, name: config.name },
    rollout: { id: rollout, name: bound },
    eid,
    esim: { pk: esim, code },
    undeliveredMailId,
    commandId,
    sentCommandId,
    apiKeyId,
    ownRole,
    webhook,
    provider,
    scim,
    geofenceId,
    alert,
    jobs,
    properties,
    freshMac: macAddress(),
    bearers: {
      main: await seeding.bearer(users.main),
      admin: await seeding.bearer(users.admin),
      user: await seeding.bearer(users.user),
    },
    canaries: [
      mark,
      mark.toLowerCase(),
      deviceId!,
      looseDeviceId!,
      group,
      claimed!.mac,
      configPk,
      rollout,
      undeliveredMailId,
      esim,
      commandId,
      sentCommandId,
      apiKeyId,
      ownRole.id,
      ...Object.values(webhook),
      ...Object.values(provider),
      ...Object.values(scim),
      geofenceId,
      ...Object.values(alert),
      ...Object.values(jobs),
      ...Object.values(properties),
      eid,
      ...Object.values(kept),
    ],
  };
}

/** A role that may read devices and groups, with someone who has it. */
async function addRole(
  database: Database,
  { mainAccountId, organizationId }: OrganizationScope,
  { mark, holderId }: { readonly mark: string; readonly holderId: string },
  at: Date,
): Promise<string> {
  const id = newId();
  const owner = { main_account_id: mainAccountId, organization_id: organizationId, created_by_email: `${mark}@highline.invalid` };
  const chosen = { name: `Role of ${mark}`, rights: ['devices.read', 'groups.read'], limit_tags: null };
  await database.write(async (tx) => {
    await tx
      .insertInto('own_roles')
      .values({ id, ...owner, ...chosen, created_at: at, updated_at: at })
      .execute();
    await tx.insertInto('account_own_roles').values({ account_id: holderId, role_id: id }).execute();
  });
  return id;
}

/** Identity providers that cannot be reached. */
async function addProviders(
  database: Database,
  { mainAccountId, organizationId }: OrganizationScope,
  mark: string,
  at: Date,
): Promise<Tenant['provider']> {
  const provider = {
    id: newId(),
    domain: `${mark}.example`.toLowerCase(),
    mainId: newId(),
    mainDomain: `main-${mark}.example`.toLowerCase(),
  };
  const client = {
    client_id: mark,
    sealed_secret: Buffer.from('none'),
    scopes: 'openid email',
    trusts_email: false,
    is_enabled: true,
  };
  const people = { rules: '[]', default_role: 'none' as const, is_required: false, break_glass: [] };
  const stamps = { created_by_email: `${mark}@highline.invalid`, created_at: at, updated_at: at };
  const add = async (tx: Tx, id: string, organization: string | null, domain: string) => {
    const owner = { main_account_id: mainAccountId, organization_id: organization };
    const named = { id, name: `ID of ${mark}`, issuer: `https://${mark}.invalid` };
    await tx
      .insertInto('identity_providers')
      .values({ ...named, ...owner, ...client, ...people, ...stamps })
      .execute();
    const confirmed = { confirmed: 'dns' as const, confirmed_at: at };
    await tx
      .insertInto('identity_domains')
      .values({ provider_id: id, domain, main_account_id: mainAccountId, token: mark, ...confirmed })
      .execute();
  };
  await database.write(async (tx) => {
    await add(tx, provider.id, organizationId, provider.domain);
    await add(tx, provider.mainId, null, provider.mainDomain);
  });
  return provider;
}

/** A directory that has called once. */
async function addDirectory(
  database: Database,
  { mainAccountId: main_account_id, organizationId: organization_id }: OrganizationScope,
  mark: string,
  at: Date,
): Promise<Tenant['scim']> {
  const scim = { secret: newId(), group: newId() };
  const owner = { main_account_id, organization_id };
  const secret = { name: mark, hint: mark, secret_hash: Buffer.from(mark), created_by_email: `${mark}@highline.invalid` };
  const call = { method: 'POST', path: `/Groups?${mark}`, status: 400, detail: mark, address: '192.0.2.1' };
  await database.write(async (tx) => {
    await tx
      .insertInto('scim_secrets')
      .values({ id: scim.secret, ...owner, ...secret, created_at: at, expires_at: new Date(at.getTime() + 86_400_000) })
      .execute();
    await tx
      .insertInto('scim_groups')
      .values({ id: scim.group, ...owner, display_name: mark, created_at: at, updated_at: at })
      .execute();
    await tx
      .insertInto('scim_calls')
      .values({ id: newId(), organization_id, at, ...call })
      .execute();
  });
  return scim;
}

/** A webhook that is off, with a failed event. Its address leads nowhere. */
async function addWebhook(
  database: Database,
  { mainAccountId, organizationId }: OrganizationScope,
  { mark, name }: { readonly mark: string; readonly name: string },
  at: Date,
): Promise<Tenant['webhook']> {
  const [id, deliveryId] = [newId(), newId()];
  const none = { group_keys: null, tags: null, previous_secret: null, previous_until: null, failing_since: null };
  const owner = { main_account_id: mainAccountId, organization_id: organizationId, created_by_email: `${mark}@highline.invalid` };
  const stamps = { created_at: at, updated_at: at, suspended_at: null, suspended_by: null };
  const chosen = {
    format: 'standard' as const,
    event_types: ['alert.fired'],
    is_enabled: false,
    sealed_secret: Buffer.from('none'),
  };
  await database.write(async (tx) => {
    await tx
      .insertInto('webhook_endpoints')
      .values({ id, name: `Bot of ${name}`, url: `https://${mark}.invalid/hooks`, ...owner, ...none, ...stamps, ...chosen })
      .execute();
    await tx
      .insertInto('webhook_deliveries')
      .values({
        id: deliveryId,
        endpoint_id: id,
        organization_id: organizationId,
        device_id: null,
        type: 'alert.fired',
        key: null,
        happened_at: at,
        data: JSON.stringify({
          organization: organizationId,
          device: null,
          alert: mark,
          rule: mark,
          severity: 'info',
          summary: name,
          by: null,
        }),
        state: 'failed',
        attempts: 1,
        next_at: null,
        tries: JSON.stringify([
          { at: at.toISOString(), took: 1, status: 500, error: 'It answered with status 500.', answer: mark },
        ]),
      })
      .execute();
  });
  return { id, deliveryId };
}

/** Full Control of the group, for the one with the role of user. */
async function giveControl(
  database: Database,
  { organizationId: organization_id }: OrganizationScope,
  group_key: string,
  account_id: string,
  at: Date,
): Promise<void> {
  await database.write((tx) =>
    tx.insertInto('group_controls').values({ organization_id, group_key, account_id, created_at: at }).execute(),
  );
}

async function addProperties(
  database: Database,
  { organizationId: organization_id }: OrganizationScope,
  { mark, name, deviceId: device_id }: { readonly mark: string; readonly name: string; readonly deviceId: string },
  at: Date,
): Promise<Tenant['properties']> {
  const keys = { text: `colour_${mark.toLowerCase()}`, picture: `photo_${mark.toLowerCase()}` };
  const picture = Buffer.from(pngOf(`Picture of ${name}`));
  const contents = {
    picture,
    picture_type: 'image/png' as const,
    picture_size: picture.length,
    picture_sha256: createHash('sha256').update(picture).digest(),
  };
  const held = { organization_id, device_id, updated_at: at };
  await database.write(async (tx) => {
    await tx
      .insertInto('custom_properties')
      .values([
        { organization_id, key: keys.text, name: `Colour ${mark}`, type: 'string', unit: '', created_at: at },
        { organization_id, key: keys.picture, name: `Photo ${mark}`, type: 'picture', unit: '', created_at: at },
      ])
      .execute();
    await tx
      .insertInto('device_properties')
      .values({ ...held, property_key: keys.text, value: '"Red"' })
      .execute();
    await tx
      .insertInto('device_properties')
      .values({ ...held, property_key: keys.picture, value: null, ...contents })
      .execute();
  });
  return keys;
}

async function addCommand(
  database: Database,
  { organizationId: organization_id }: OrganizationScope,
  name: string,
  at: Date,
): Promise<string> {
  const command = { id: newId(), name, kind: 'identify' as const, argument: '30', created_at: at };
  await database.write((tx) =>
    tx
      .insertInto('custom_commands')
      .values({ organization_id, ...command, is_pinned: false })
      .execute(),
  );
  return command.id;
}

/** Sent by someone who is gone, to a router that never connects. */
async function addSentCommand(
  database: Database,
  { organizationId: organization_id, mainAccountId: main_account_id }: OrganizationScope,
  {
    deviceId: device_id,
    routerId: router_id,
    serial,
  }: { readonly deviceId: string; readonly routerId: string; readonly serial: string },
  at: Date,
): Promise<string> {
  const id = newId();
  const actor = {
    accountId: newId(),
    email: 'gone@highline.invalid',
    name: '',
    role: 'admin',
    mainAccountId: main_account_id,
    organizationId: organization_id,
  };
  const expires_at = new Date(at.getTime() + 30 * 86_400_000);
  const of = { id, organization_id, main_account_id, device_id, router_id, serial };
  await database.write((tx) =>
    tx
      .insertInto('sent_commands')
      .values({ ...of, kind: 'reboot', actor: JSON.stringify(actor), created_at: at, expires_at, due_at: expires_at })
      .execute(),
  );
  return id;
}

async function addAlert(
  database: Database,
  { mainAccountId: main_account_id, organizationId: organization_id }: OrganizationScope,
  {
    name,
    group,
    deviceId,
    serial,
  }: { readonly name: string; readonly group: string; readonly deviceId: string; readonly serial: string },
  at: Date,
): Promise<Tenant['alert']> {
  const [id, ruleId] = [newId(), newId()];
  const owner = { organization_id, main_account_id };
  const shared = { severity: 'warning', kind: 'offline' } as const;
  await database.write(async (tx) => {
    await tx
      .insertInto('alert_rules')
      .values({
        ...owner,
        ...shared,
        id: ruleId,
        name: `Rule of ${name}`,
        is_enabled: false,
        condition: JSON.stringify({ kind: 'offline' }),
        for_seconds: 3_600,
        scope_kind: 'all',
        scope_key: null,
        channels: JSON.stringify({ mails: [], escalation: null, quiet: null }),
        created_at: at,
        updated_at: at,
      })
      .execute();
    const device = { device_id: deviceId, serial, vehicle_number: '', group_key: group, carrier: null };
    const moments = { since: at, fired_at: at };
    await tx
      .insertInto('alerts')
      .values({
        ...owner,
        ...shared,
        ...device,
        ...moments,
        id,
        rule_id: ruleId,
        rule_name: `Rule of ${name}`,
        reading: null,
        value: null,
        state: 'firing',
        resolution: null,
      })
      .execute();
    await tx
      .insertInto('alert_actions')
      .values({
        organization_id,
        id: newId(),
        rule_id: ruleId,
        rule_name: `Rule of ${name}`,
        alert_id: id,
        device_id: deviceId,
        serial,
        vehicle_number: '',
        action: JSON.stringify({ does: { kind: 'profile' }, dryRun: true, cooldownMinutes: 60, atOnce: 1, perDay: 1 }),
        state: 'dry-run',
        created_at: at,
        decided_at: at,
      })
      .execute();
  });
  return { id, ruleId };
}

async function addKey(
  database: Database,
  { mainAccountId: main_account_id, organizationId: organization_id }: OrganizationScope,
  { mark, accountId: made_by }: { readonly mark: string; readonly accountId: string },
  at: Date,
): Promise<string> {
  const id = newId();
  const owner = { main_account_id, organization_id, made_by, made_by_email: 'prepared@highline.invalid' };
  const secret = { secret_hash: randomBytes(32), hint: 'hlk_…', previous_hash: null, last_used_address: null };
  await database.write((tx) =>
    tx
      .insertInto('api_keys')
      .values({ id, ...owner, ...secret, name: `Key ${mark}`, operations: ['devices.list'], created_at: at })
      .execute(),
  );
  return id;
}

/** Jobs of an organization about one device, and what two of them changed. */
async function addJobs(
  database: Database,
  { mainAccountId: main_account_id, organizationId: organization_id }: OrganizationScope,
  { deviceId: device_id, serial }: { readonly deviceId: string; readonly serial: string },
  at: Date,
): Promise<Tenant['jobs']> {
  const days = { startedOn: '2026-02-01', expiresOn: '2028-12-31' };
  const actor = JSON.stringify({ email: 'prepared@highline.invalid', role: 'admin' });
  const shared = {
    main_account_id,
    organization_id,
    is_undo: false,
    selection: null,
    actor,
    due_at: at,
    created_at: at,
    total: 1,
  };
  const unset = { selected_serial: null, selected_id: null, retried_by: null, undone_by: null };
  const ended = { ...shared, ...unset, state: 'done' as const, next_n: 2, ended_at: at };
  const jobs = { tags: newId(), subscription: newId(), failed: newId(), active: newId() };
  const item = { n: 1, organization_id, device_id, serial, reason: null, message: null, before: null, target: null };
  const remove = JSON.stringify({ kind: 'delete' } as const);
  await database.write(async (tx) => {
    await tx
      .updateTable('devices')
      .set({ tags: ['matrix'], started_on: days.startedOn, expires_on: days.expiresOn })
      .where('id', '=', device_id)
      .execute();
    await tx
      .insertInto('bulk_jobs')
      .values([
        { ...ended, id: jobs.tags, done: 1, action: JSON.stringify({ kind: 'tags', add: ['matrix'], remove: [] }) },
        { ...ended, id: jobs.subscription, done: 1, action: JSON.stringify({ kind: 'subscription', ...days }) },
        { ...ended, id: jobs.failed, failed: 1, action: remove },
        {
          ...ended,
          id: jobs.active,
          action: remove,
          state: 'running',
          next_n: 1,
          ended_at: null,
          due_at: new Date('2999-01-01'),
        },
      ])
      .execute();
    await tx
      .insertInto('bulk_job_items')
      .values([
        { ...item, job_id: jobs.tags, state: 'done', before: '[]' },
        { ...item, job_id: jobs.subscription, state: 'done', before: JSON.stringify({ startedOn: null, expiresOn: null }) },
        { ...item, job_id: jobs.failed, state: 'failed', reason: 'internal' },
        { ...item, job_id: jobs.active, state: 'waiting' },
      ])
      .execute();
  });
  return jobs;
}

/** A saved report and a pinned chart, under ids that several users may have. */
async function keepForPerson(
  database: Database,
  { organizationId: organization_id }: OrganizationScope,
  account_id: string,
  name: string,
  { reportId, pinId }: { readonly reportId: string; readonly pinId: string },
): Promise<void> {
  const owner = { organization_id, account_id };
  const dates = { dayType: 'today' as const, startDate: '', endDate: '' };
  const question = { ...dates, queryId: '', groupId: '', deviceId: '', properties: { id: 'rssi' }, num: '' };
  const content = { mark: 'bar' as const, title: `Chart of ${name}`, argsLabel: [] };
  await database.write(async (tx) => {
    const report = { ...owner, id: reportId, name: `Report of ${name}`, question: JSON.stringify(question) };
    await tx.insertInto('saved_reports').values(report).execute();
    const drawn = { chart_type: 'device' as const, arguments: '{}', spec: '{}', content: JSON.stringify(content) };
    await tx
      .insertInto('pinned_charts')
      .values({ ...owner, id: pinId, identity: Buffer.from(pinId), ...drawn })
      .execute();
  });
}

async function addGeofence(database: Database, scope: OrganizationScope, name: string, at: Date): Promise<string> {
  const id = newId();
  const shape = JSON.stringify({ kind: 'circle', latitude: 41.88, longitude: -87.63, radius: 200 });
  const row = {
    id,
    organization_id: scope.organizationId,
    name: `Depot of ${name}`,
    shape,
    corners: 1,
    created_at: at,
    updated_at: at,
  };
  await database.write((tx) => tx.insertInto('geofences').values(row).execute());
  return id;
}

/** A view of the device list for each person. */
async function addViews(
  database: Database,
  scope: OrganizationScope,
  users: Tenant['users'],
  name: string,
  at: Date,
): Promise<Tenant['viewIds']> {
  const viewIds = { main: newId(), admin: newId(), user: newId() };
  const rows = (['main', 'admin', 'user'] as const).map((role) => ({
    id: viewIds[role],
    main_account_id: scope.mainAccountId,
    organization_id: scope.organizationId,
    account_id: users[role],
    list: 'devices' as const,
    name: `View of ${name}`,
    content: JSON.stringify({ search: { presence: 'online' }, layout: {} }),
    created_at: at,
    updated_at: at,
  }));
  await database.write((tx) => tx.insertInto('saved_views').values(rows).execute());
  return viewIds;
}

import { randomUUID } from 'node:crypto';
import { makeIccid } from '@highline/usp';
import { send } from './call.ts';
import { codeOf, PEOPLES_PASSWORD, PEOPLES_SECRET } from './second-factor.ts';
import { pngOf } from './pictures.ts';
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
  /** What a call names that could be foreign: an organization, ids inside one, ids of the main account, or nothing at all. */
  readonly names: 'nothing' | 'organization' | 'ids' | 'main-ids';
  /** A request that works when both tenants are the caller's own. */
  make(scope: Tenant, ids: Tenant): Request;
  /** What a tenant's people need before the request works, besides what every tenant has. */
  prepare?(tenant: Tenant, seeding: Seeding, server: Pick<TestServer, 'url' | 'connectRouter'>): Promise<void>;
  /** Text that a successful answer holds: the positive case, so that an empty answer cannot pass for an isolated one. */
  shows?(tenant: Tenant): string;
}

const nothing: Fixture = { names: 'nothing', make: () => ({}) };
const csvOf = (tenant: Tenant) =>
  `SN,MAC,Start Date,Expiry Date\n${tenant.stock.serial},${tenant.stock.mac},01/01/2026,12/31/2027\n`;
const newDevice = (tenant: Tenant) => ({
  serial_number: tenant.stock.serial,
  mac: tenant.stock.mac,
  started: '01/01/2026',
  expired: '12/31/2027',
});
/** An address that a tenant tells of things. */
const toldOf = (tenant: Tenant) => `told-${tenant.serial.slice(2)}@highline.invalid`.toLowerCase();
const listOf = (shows: NonNullable<Fixture['shows']>): Fixture => ({
  names: 'organization',
  make: (scope) => ({ query: { org: scope.organizationId } }),
  shows,
});

/** The last day and the next: what a tenant's router told is of today, or of yesterday by now. */
export function aroundNow(): { readonly on: string; readonly to: string } {
  const now = Math.floor(Date.now() / 1_000);
  return { on: String(now - 86_400), to: String(now + 86_400) };
}

/** A question to be saved, and a chart to be pinned. */
const reportOf = ({ groupKey: groupId, deviceId }: Tenant) => ({
  reportName: 'Matrix report',
  dayType: 'today',
  startDate: '',
  endDate: '',
  queryId: '',
  groupId,
  deviceId,
  properties: { id: 'rssi' },
  num: '',
});
const chartOf = ({ groupKey: groupId }: Tenant) => ({
  spec: { mark: 'bar' },
  api: { chartType: 'device', arguments: { groupId, propertyId: 'rssi' } },
  content: { mark: 'bar', title: 'Matrix chart', argsLabel: [] },
});

/** Passwords of the three who are signed in. */
async function withPasswords({ people }: Tenant, seeding: Seeding): Promise<void> {
  for (const id of Object.values(people)) await seeding.password(id, PEOPLES_PASSWORD);
}

/** Second factors of the three who are signed in. */
async function withFactors({ people }: Tenant, seeding: Seeding, confirmed: boolean): Promise<void> {
  for (const id of Object.values(people)) await seeding.secondFactor(id, PEOPLES_SECRET, confirmed);
}

/** A router that can be reached. */
async function withRouter({ loose }: Tenant, _seeding: Seeding, server: Pick<TestServer, 'connectRouter'>): Promise<void> {
  await server.connectRouter(loose);
}

/** A session that the admin opened to it. */
async function withConnection(
  tenant: Tenant,
  seeding: Seeding,
  server: Pick<TestServer, 'url' | 'connectRouter'>,
): Promise<void> {
  await withRouter(tenant, seeding, server);
  const body = { org: tenant.organizationId, serial: tenant.loose.serial, type: 'ssh' };
  const opened = await send(`${server.url}/data_manager/v1/dm/cmds/connectDevice`, { bearer: tenant.bearers.admin, body });
  if (opened.status !== 200) throw new Error(opened.text);
}

/** A request for every operation of the contract, by id. */
export const fixtures: Readonly<Record<string, Fixture>> = {
  'accounts.loginFrame': nothing,
  'accounts.signIn': nothing,
  'accounts.forgotPassword': nothing,
  'accounts.resetPassword': nothing,
  'accounts.changePassword': nothing,
  'accounts.setUp': nothing,
  'secondFactor.get': { ...nothing, shows: () => '"enabled":false' },
  'secondFactor.begin': {
    names: 'nothing',
    make: () => ({ body: { password: PEOPLES_PASSWORD } }),
    prepare: withPasswords,
    shows: () => 'otpauth://totp/Highline:',
  },
  'secondFactor.confirm': {
    names: 'nothing',
    make: () => ({ body: { code: codeOf(PEOPLES_SECRET) } }),
    prepare: (tenant, seeding) => withFactors(tenant, seeding, false),
    shows: () => '"recoveryCodes":["',
  },
  'secondFactor.end': {
    names: 'nothing',
    make: () => ({ body: { password: PEOPLES_PASSWORD, code: codeOf(PEOPLES_SECRET) } }),
    async prepare(tenant, seeding) {
      await withPasswords(tenant, seeding);
      await withFactors(tenant, seeding, true);
    },
    shows: () => '"ended":1',
  },
  'secondFactor.reset': {
    names: 'main-ids',
    make: (_, ids) => ({ params: { id: ids.accountId } }),
    prepare: (tenant, seeding) => withFactors(tenant, seeding, true),
    shows: () => '"ended":1',
  },
  'accounts.openSession': nothing,
  'accounts.introspect': nothing,
  'accounts.signOut': nothing,
  'accounts.signOutEverywhere': nothing,
  'accounts.get': {
    names: 'main-ids',
    make: (_, ids) => ({ params: { id: ids.accountId } }),
    shows: (tenant) => tenant.accountId,
  },
  'accounts.loginStatus': {
    names: 'organization',
    make: (scope) => ({ params: { org: scope.organizationId } }),
    shows: () => 'onlineUserNum',
  },
  'accounts.list': listOf((tenant) => tenant.accountId),
  'accounts.export': listOf((tenant) => `user-${tenant.serial.slice(2)}`),
  'accounts.create': {
    names: 'organization',
    make: ({ organizationId: org }) => ({
      body: { org, email: `${randomUUID()}@highline.invalid`, name: 'New', role: `r.${org}.vendor` },
    }),
    shows: (tenant) => `r.${tenant.organizationId}.vendor`,
  },
  'accounts.edit': {
    names: 'main-ids',
    make: (_, ids) => ({ params: { id: ids.accountId }, body: { name: 'Renamed' } }),
    shows: () => 'Renamed',
  },
  'accounts.changeRole': {
    names: 'main-ids',
    make: (_, { accountId: id, organizationId: org }) => ({
      body: { id, original: `r.${org}.vendor`, target: `r.${org}.super` },
    }),
    shows: (tenant) => `r.${tenant.organizationId}.super`,
  },
  'accounts.addRole': {
    names: 'main-ids',
    make: (_, { looseAccountId: id, organizationId: org }) => ({
      body: { id, role: `r.${org}.vendor`, serviceContacter: true },
    }),
    shows: (tenant) => tenant.looseAccountId,
  },
  'accounts.delete': {
    names: 'main-ids',
    make: (_, ids) => ({ params: { id: ids.accountId } }),
    shows: () => '"deleted":1',
  },
  'accounts.sendInvitation': {
    names: 'main-ids',
    make: (_, ids) => ({ params: { id: ids.accountId } }),
    shows: () => '"expires":',
  },
  'colleagues.list': { ...nothing, shows: (tenant) => tenant.colleagueId },
  'colleagues.invite': {
    names: 'nothing',
    make: () => ({ body: { email: `${randomUUID()}@highline.invalid`, name: 'New' } }),
    shows: () => '"role":"vendorSuper"',
  },
  'colleagues.delete': {
    names: 'main-ids',
    make: (_, ids) => ({ params: { id: ids.colleagueId } }),
    shows: () => '"deleted":1',
  },
  'accounts.listSessions': { ...nothing, shows: () => '"current":true' },
  // A session is its account's alone: one that is somebody else's ends as little as one that is none.
  'accounts.endSession': { names: 'nothing', make: () => ({ params: { session: 'f'.repeat(64) } }), shows: () => '"ended":0' },
  'organizations.list': { names: 'nothing', make: () => ({}), shows: (tenant) => tenant.organizationId },
  'organizations.export': { names: 'nothing', make: () => ({}), shows: (tenant) => tenant.name },
  'organizations.create': { names: 'nothing', make: () => ({ body: { name: 'Matrix org' } }), shows: () => '"dryRun":false' },
  'organizations.save': {
    names: 'organization',
    make: (scope) => ({ params: { org: scope.organizationId }, body: { phone: '+1 312 555 0142' } }),
    shows: (tenant) => tenant.organizationId,
  },
  'organizations.devices': {
    names: 'organization',
    make: (scope) => ({ params: { org: scope.organizationId } }),
    shows: (tenant) => tenant.serial,
  },
  'organizations.delete': {
    names: 'organization',
    make: (scope) => ({ body: { org: scope.organizationId } }),
    shows: () => '"devices":2',
  },
  'organizations.transferDevices': {
    names: 'ids',
    make: (scope, ids) => ({
      body: {
        origin: ids.organizationId,
        target: scope.branchId,
        serials: scope === ids ? [ids.serial] : [scope.serial, ids.serial],
      },
    }),
    shows: () => '"transferred":1',
  },
  'devices.list': listOf((tenant) => tenant.serial),
  'devices.export': listOf((tenant) => tenant.serial),
  'devices.subscriptions': listOf((tenant) => tenant.serial),
  'devices.lastQuery': listOf((tenant) => tenant.deviceId),
  'devices.statistics': listOf(() => '"devices":2'),
  'devices.get': {
    names: 'ids',
    make: (scope, ids) => ({ query: { org: scope.organizationId, device: ids.deviceId } }),
    shows: (tenant) => tenant.serial,
  },
  'devices.telemetry': {
    names: 'ids',
    make: (scope, ids) => ({ query: { org: scope.organizationId, device: ids.deviceId } }),
    shows: () => 'rssi',
  },
  'devices.timeline': {
    names: 'ids',
    make: (scope, ids) => ({ query: { org: scope.organizationId, device: ids.deviceId } }),
    shows: (tenant) => `Prepared ${tenant.name}`,
  },
  'devices.add': {
    names: 'organization',
    make: (scope, ids) => ({ body: { org: scope.organizationId, devices: [newDevice(ids)] } }),
    shows: (tenant) => tenant.stock.serial,
  },
  'devices.addBatch': {
    names: 'organization',
    make: ({ organizationId: org }, { stock }) => ({
      body: { org, model: '', name: 'Bus ', batch: 1, serial_number: stock.serial, started: '01/01/2026', expired: '12/31/2027' },
    }),
    shows: (tenant) => tenant.stock.serial,
  },
  'devices.import': {
    names: 'organization',
    make: (scope, ids) => ({ body: { org: scope.organizationId }, file: csvOf(ids) }),
    shows: () => '"success":1',
  },
  'devices.delete': {
    names: 'ids',
    make: (scope, ids) => ({
      body: { org: scope.organizationId, devices: scope === ids ? [ids.deviceId] : [scope.deviceId, ids.deviceId] },
    }),
    shows: () => '"deleted":1',
  },
  'devices.save': {
    names: 'ids',
    make: (scope, ids) => ({ body: { org: scope.organizationId, device: ids.deviceId, vehicleNumber: 'Matrix 1' } }),
    shows: () => 'Matrix 1',
  },
  'devices.saveSubscription': {
    names: 'ids',
    make: (scope, { deviceId: device }) => ({
      body: { org: scope.organizationId, device, started: '02/01/2026', expired: '01/31/2029' },
    }),
    shows: () => '"expired":"01/31/2029"',
  },
  'groups.list': listOf((tenant) => tenant.groupName),
  'groups.export': listOf((tenant) => tenant.groupName),
  'groups.get': {
    names: 'ids',
    make: (scope, ids) => ({ params: { group: ids.groupKey }, query: { org: scope.organizationId } }),
    shows: (tenant) => tenant.groupName,
  },
  'groups.members': {
    names: 'ids',
    make: (scope, ids) => ({ params: { group: ids.groupKey }, query: { org: scope.organizationId } }),
    shows: (tenant) => tenant.serial,
  },
  'groups.controls': {
    names: 'ids',
    make: (scope, ids) => ({ params: { group: ids.groupKey }, query: { org: scope.organizationId } }),
    shows: ({ people }) => people.user,
  },
  'groups.changeControl': {
    names: 'ids',
    make: ({ organizationId: org }, { groupKey: group, people }) => ({
      params: { group },
      body: { org, account: people.user, control: 'read' },
    }),
    shows: () => '"control":"read"',
  },
  'groups.create': {
    names: 'ids',
    make: (scope, ids) => ({ body: { org: scope.organizationId, name: 'Matrix group', devices: [ids.looseDeviceId] } }),
    shows: () => 'Matrix group',
  },
  'groups.save': {
    names: 'ids',
    make: (scope, ids) => ({ params: { group: ids.groupKey }, body: { org: scope.organizationId, description: 'Matrix text' } }),
    shows: () => 'Matrix text',
  },
  'groups.delete': {
    names: 'ids',
    make: (scope, ids) => ({
      body: { org: scope.organizationId, groups: scope === ids ? [ids.groupKey] : [scope.groupKey, ids.groupKey] },
    }),
    shows: () => '"deleted":1',
  },
  'firmware.list': listOf((tenant) => tenant.firmware.version),
  'firmware.upload': {
    names: 'nothing',
    make: (scope) => ({
      body: { profile: 'HL-MATRIX', version: scope.firmware.version.replace('1.0', '2.0') },
      file: scope.firmware.image,
    }),
    shows: (tenant) => tenant.firmware.version.replace('1.0', '2.0'),
  },
  'firmware.delete': {
    names: 'main-ids',
    make: (_, ids) => ({ params: { firmware: ids.firmware.pk } }),
    shows: () => '"deleted":1',
  },
  'configs.list': listOf((tenant) => tenant.config.name),
  'configs.get': {
    names: 'ids',
    make: (scope, ids) => ({ params: { config: ids.config.pk }, query: { org: scope.organizationId } }),
    shows: (tenant) => tenant.config.name,
  },
  'configs.upload': {
    names: 'organization',
    make: (scope) => ({ body: { org: scope.organizationId }, file: 'hostname matrix\n' }),
    shows: () => 'rows.csv',
  },
  'configs.save': {
    names: 'ids',
    make: (scope, ids) => ({
      params: { config: ids.config.pk },
      body: { org: scope.organizationId, note: 'Matrix 1' },
    }),
    shows: () => 'Matrix 1',
  },
  'configs.delete': {
    names: 'ids',
    make: (scope, ids) => ({
      params: { config: scope === ids ? ids.config.pk : `${scope.config.pk},${ids.config.pk}` },
      query: { org: scope.organizationId },
    }),
    shows: () => '"deleted":1',
  },
  'bindings.list': listOf((tenant) => tenant.rollout.name),
  'bindings.firmware': {
    names: 'ids',
    make: (scope, ids) => ({
      body: { org: scope.organizationId, group: ids.groupKey, firmware: ids.firmware.pk, schedule: 'immediate' },
    }),
    shows: (tenant) => tenant.firmware.version,
  },
  'bindings.config': {
    names: 'ids',
    make: (scope, ids) => ({
      body: { org: scope.organizationId, group: scope.groupKey, config: ids.config.pk, schedule: 'bootup' },
    }),
    shows: (tenant) => tenant.config.name,
  },
  'bindings.unbindFirmware': {
    names: 'ids',
    make: (scope, ids) => ({ query: { org: scope.organizationId, group: ids.groupKey, mode: 'all' } }),
    shows: (tenant) => tenant.rollout.name,
  },
  'bindings.unbindConfig': {
    names: 'ids',
    make: (scope, ids) => ({ query: { org: scope.organizationId, group: ids.groupKey, mode: 'all' } }),
    shows: () => '"config":[]',
  },
  'bindings.impact': {
    names: 'ids',
    make: (scope, ids) => ({ body: { org: scope.organizationId, config: ids.config.pk, add: [ids.looseDeviceId] } }),
    shows: () => '"routers":1',
  },
  'rollouts.list': {
    names: 'ids',
    make: (scope, ids) => ({ query: { org: scope.organizationId, group: ids.groupKey } }),
    shows: (tenant) => tenant.rollout.name,
  },
  'rollouts.targets': {
    names: 'ids',
    make: (scope, ids) => ({ query: { org: scope.organizationId, rollout: ids.rollout.id } }),
    shows: (tenant) => tenant.serial,
  },
  'rollouts.steer': {
    names: 'ids',
    make: (scope, ids) => ({ body: { org: scope.organizationId, rollout: ids.rollout.id, action: 'pause' } }),
    shows: () => '"pausedReason":"person"',
  },
  'inventory.list': { names: 'nothing', make: () => ({}), shows: (tenant) => tenant.stock.serial },
  'inventory.models': { names: 'nothing', make: () => ({}), shows: () => '"model":"' },
  'inventory.export': { names: 'nothing', make: () => ({}), shows: (tenant) => tenant.stock.serial },
  'inventory.add': {
    names: 'nothing',
    make: (scope) => ({ body: { serial_number: `${scope.serial}-N`, mac: scope.freshMac } }),
    shows: (tenant) => `${tenant.serial}-N`,
  },
  'inventory.import': {
    names: 'nothing',
    make: (scope) => ({ body: {}, file: `SN,MAC\n${scope.serial}-I,${scope.freshMac}\n` }),
    shows: () => '"success":1',
  },
  'inventory.delete': {
    names: 'main-ids',
    make: (scope, ids) => ({
      body: { routers: scope === ids ? [ids.stock.routerId] : [scope.stock.routerId, ids.stock.routerId] },
    }),
    shows: () => '"deleted":1',
  },
  'inventory.rotateSecret': {
    names: 'main-ids',
    make: (_, ids) => ({ params: { router: ids.stock.routerId } }),
    shows: (tenant) => tenant.stock.serial,
  },
  'logs.list': listOf((tenant) => `Prepared ${tenant.name}`),
  'logs.export': listOf((tenant) => `Prepared ${tenant.name}`),
  'logs.evidence': listOf((tenant) => `Prepared ${tenant.name}`),
  'logs.key': { names: 'nothing', make: () => ({}), shows: () => 'PUBLIC KEY' },
  'notifications.list': listOf(toldOf),
  'notifications.save': {
    names: 'ids',
    make: (scope, ids) => ({
      body: { org: scope.organizationId, mail: 'matrix@highline.invalid', events: ['BATTERY_LOW'], gids: [ids.groupKey] },
    }),
    shows: (tenant) => tenant.groupKey,
  },
  'notifications.delete': {
    names: 'organization',
    make: (scope) => ({ body: { org: scope.organizationId, mails: [toldOf(scope)] } }),
    shows: () => '"deleted":1',
  },
  'notifications.undelivered': listOf((tenant) => tenant.undeliveredMailId),
  'notifications.sendAgain': {
    names: 'ids',
    make: (scope, ids) => ({
      body: {
        org: scope.organizationId,
        ids: scope === ids ? [ids.undeliveredMailId] : [scope.undeliveredMailId, ids.undeliveredMailId],
      },
    }),
    shows: () => '"queued":1',
  },
  'esims.list': listOf((tenant) => tenant.esim.pk),
  'esims.export': listOf((tenant) => tenant.serial),
  'esims.get': {
    names: 'ids',
    make: (scope, ids) => ({ params: { profile: ids.esim.pk }, query: { org: scope.organizationId } }),
    shows: (tenant) => tenant.serial,
  },
  'esims.add': {
    names: 'organization',
    make: (scope, ids) => ({
      body: { org: scope.organizationId, serial: ids.serial, eid: ids.eid, ac: 'preload', iccid: makeIccid(7), apn: 'internet' },
    }),
    shows: () => '"status":"Created"',
  },
  'esims.save': {
    names: 'ids',
    make: (scope, ids) => ({ params: { profile: ids.esim.pk }, body: { org: scope.organizationId, name: 'Matrix 1' } }),
    shows: () => 'Matrix 1',
  },
  'esims.delete': {
    names: 'ids',
    make: (scope, ids) => ({ params: { profile: ids.esim.pk }, query: { org: scope.organizationId } }),
    shows: () => 'Deleting...',
  },
  'esims.resume': {
    names: 'ids',
    make: (scope, ids) => ({ body: { org: scope.organizationId, profile: ids.esim.pk } }),
    shows: () => 'Assigning...',
  },
  'esims.import': {
    names: 'organization',
    make: (scope, ids) => ({
      body: { org: scope.organizationId },
      file: `SN,EID,Activation Code,ICCID,APN1,APN2,NAME\n${ids.serial},${ids.eid},pre,${makeIccid(8)},internet,,\n`,
    }),
    shows: () => '"success":1',
  },
  'commands.list': listOf(({ commandId }) => commandId),
  'commands.add': {
    names: 'organization',
    make: ({ organizationId: org }) => ({ body: { org, name: 'Another command', kind: 'reboot' } }),
    shows: () => '"name":"Another command"',
  },
  'commands.save': {
    names: 'ids',
    make: ({ organizationId: org }, { commandId: command }) => ({ params: { command }, body: { org, pinned: true } }),
    shows: () => '"pinned":true',
  },
  'commands.delete': {
    names: 'ids',
    make: ({ organizationId: org }, { commandId: command }) => ({ params: { command }, body: { org } }),
    shows: () => '"deleted":1',
  },
  'commands.run': {
    names: 'ids',
    make: ({ organizationId: org }, { commandId: command, looseDeviceId: device }) => ({
      params: { command },
      body: { org, device },
    }),
    prepare: withRouter,
    shows: () => '"outcome":"done"',
  },
  'properties.list': listOf(({ properties }) => properties.text),
  'properties.add': {
    names: 'organization',
    make: ({ organizationId: org }) => ({ body: { org, name: 'Another property', type: 'number', unit: 'km' } }),
    shows: () => '"key":"another_property"',
  },
  'properties.ofDevice': {
    names: 'ids',
    make: ({ organizationId: org }, { deviceId: device }) => ({ query: { org, device } }),
    shows: ({ properties }) => properties.text,
  },
  'properties.set': {
    names: 'ids',
    make: ({ organizationId: org }, { deviceId: device, properties }) => ({
      params: { property: properties.text, device },
      body: { org, value: 'Matrix green' },
    }),
    shows: () => '"value":"Matrix green"',
  },
  'properties.upload': {
    names: 'ids',
    make: ({ organizationId: org }, { deviceId: device, properties }) => ({
      params: { property: properties.picture, device },
      body: { org },
      file: pngOf('Matrix picture'),
    }),
    shows: () => '"type":"image/png"',
  },
  'properties.picture': {
    names: 'ids',
    make: ({ organizationId: org }, { deviceId: device, properties }) => ({
      params: { property: properties.picture, device },
      query: { org },
    }),
    shows: ({ name }) => `Picture of ${name}`,
  },
  'remoteAccess.get': {
    names: 'ids',
    make: (scope, ids) => ({ query: { org: scope.organizationId, device: ids.looseDeviceId } }),
    prepare: withConnection,
    shows: () => '"type":"ssh"',
  },
  'remoteAccess.connect': {
    names: 'ids',
    make: (scope, ids) => ({ body: { org: scope.organizationId, serial: ids.loose.serial, type: 'ssh' } }),
    prepare: withRouter,
    shows: () => '"statusCode":200',
  },
  'remoteAccess.secret': {
    names: 'ids',
    make: (scope, ids) => ({ body: { org: scope.organizationId, serial: ids.loose.serial, type: 'ssh' } }),
    prepare: withConnection,
    shows: () => '"username":"hl-',
  },
  'remoteAccess.cancel': {
    names: 'ids',
    make: (scope, ids) => ({ body: { org: scope.organizationId, device: ids.looseDeviceId } }),
    prepare: withConnection,
    shows: () => '"ended":true',
  },
  'remoteAccess.resetPassword': {
    names: 'ids',
    make: (scope, ids) => ({ body: { org: scope.organizationId, serial: ids.loose.serial } }),
    prepare: withRouter,
    shows: () => '"reset":true',
  },
  'reports.properties': listOf(() => 'rssi'),
  'reports.devices': listOf((tenant) => tenant.serial),
  'reports.records': {
    names: 'organization',
    make: (scope) => ({ query: { org: scope.organizationId, ...aroundNow() } }),
    shows: (tenant) => tenant.serial,
  },
  'reports.export': {
    names: 'organization',
    make: (scope) => ({ query: { org: scope.organizationId, format: 'csv', ...aroundNow() } }),
    shows: (tenant) => tenant.serial,
  },
  'reports.count': {
    names: 'organization',
    make: (scope) => ({ query: { org: scope.organizationId, ...aroundNow() } }),
    shows: () => '"count":1',
  },
  'reports.list': listOf((tenant) => `Report of ${tenant.name}`),
  'reports.save': {
    names: 'organization',
    make: (scope) => ({ body: { org: scope.organizationId, ...reportOf(scope) } }),
    shows: () => 'Matrix report',
  },
  'reports.delete': {
    names: 'ids',
    make: (scope, ids) => ({ params: { report: ids.reportId }, query: { org: scope.organizationId } }),
    shows: () => '"deleted":1',
  },
  'analysis.statistics': {
    names: 'ids',
    make: (scope, ids) => ({
      params: { category: 'device' },
      query: { org: scope.organizationId, group: ids.groupKey, property: 'rssi', ...aroundNow() },
    }),
    shows: (tenant) => tenant.deviceId,
  },
  'analysis.prepare': {
    names: 'ids',
    make: (scope, ids) => ({
      params: { chartType: 'runChart' },
      body: { org: scope.organizationId, groupId: scope.groupKey, deviceId: ids.deviceId, propertyId: 'rssi' },
    }),
    shows: () => '"y":-70',
  },
  'analysis.pin': {
    names: 'organization',
    make: (scope) => ({ body: { org: scope.organizationId, ...chartOf(scope) } }),
    shows: () => 'Matrix chart',
  },
  'analysis.pins': listOf((tenant) => `Chart of ${tenant.name}`),
  'analysis.unpin': {
    names: 'ids',
    make: (scope, ids) => ({ params: { draw: ids.pinId }, query: { org: scope.organizationId } }),
    shows: () => '"deleted":1',
  },
  'live.stream': { names: 'organization', make: (scope) => ({ query: { org: scope.organizationId } }) },
};

import { createHmac, type KeyObject } from 'node:crypto';
import { remoteClients } from '@highline/contract';
import { sql } from 'kysely';
import { createAccount } from '../domains/accounts/index.ts';
import { addDevices } from '../domains/devices/index.ts';
import { importGeofences } from '../domains/geofences/index.ts';
import { createGroup } from '../domains/groups/index.ts';
import { registerRouters } from '../domains/inventory/index.ts';
import { saveClientRule } from '../domains/remote-access/index.ts';
import { createOrganization } from '../domains/organizations/index.ts';
import { newId, type Actor, type MainScope, type OrganizationScope } from '../kernel/index.ts';
import type { Clock, Database, Tx } from '../platform/ports/index.ts';
import { clockBefore, seedActs } from './acts.ts';
import { seedAlertRules } from './alert-rules.ts';
import { seedCoverage } from './coverage.ts';
import { seedWeakPlaces } from './weak-places.ts';
import { seedEsims } from './esims.ts';
import { seedConfigs, seedFirmware, type DemoFileDeps } from './files.ts';
import { demoStock } from './demo-vehicles.ts';
import { demoMain, demoOrganizations, demoPassword, type DemoOrganization } from './fleet-data.ts';
import { PAST_DAYS, seedPast } from './past.ts';
import { seedWebhook } from './webhooks.ts';
import { seedServingCells } from './serving-cells.ts';
import { seedSpeedTests } from './speed-tests.ts';
import { seedTelemetry } from './telemetry.ts';
import { seedUsage } from './usage.ts';

/** A router's secret in the demo: derived from the installation's own key, so that it need not be stored. */
export function demoSecret(masterKey: KeyObject, serial: string): string {
  return createHmac('sha256', masterKey).update(`demo router ${serial}`).digest('base64url');
}

/** How a demo is. */
export interface DemoManner {
  /** With what the vehicles measured on the days before. */
  readonly hasPast: boolean;
  /** How many times as fast as usual it passes. */
  readonly pace: number;
}

/**
 * Fill an empty database with the demo's data. Runs once and uses the same services as users do.
 */
export async function seedDemo(deps: DemoFileDeps, masterKey: KeyObject, { hasPast, pace }: DemoManner): Promise<void> {
  const { database, clock } = deps;
  /** What was done so many days ago. */
  const ago = (days: number) => ({ ...deps, clock: hasPast ? clockBefore(clock, days) : clock });
  const { main, actor } = await seedMainAccount(database, masterKey, ago(PAST_DAYS + 1).clock);
  await seedFirmware(ago(PAST_DAYS), main, actor);
  let tested: { readonly scope: OrganizationScope; readonly by: string } | undefined;
  for (const organization of demoOrganizations) {
    const scope = await seedOrganization(deps, ago, main, actor, organization);
    const webhooks = organization.hasReceiver === true ? [await seedWebhook({ ...ago(21.3), masterKey }, scope, actor)] : [];
    await seedAlertRules(ago(20.6), scope, actor, { mails: [organization.contact.email], webhooks, pace });
    const isFirst = organization === demoOrganizations[0];
    if (hasPast && isFirst) await seedActs(deps, scope, organization);
    if (isFirst) await saveClientRule(ago(20), scope, actor, { ...remoteClients.usualClientRule, roles: ['admin', 'user'] });
    if (isFirst) tested = { scope, by: organization.contact.email };
    await seedUsage(deps, scope, actor, organization.vehicles);
  }
  if (!hasPast) return;
  await seedPast(database, clock.now());
  await seedTelemetry(database, clock.now());
  await seedCoverage(database, clock.now());
  if (tested !== undefined) await seedSpeedTests(database, tested.scope, tested.by, clock.now());
  await seedWeakPlaces(database, clock.now());
  await seedServingCells(database, clock.now());
}

async function seedMainAccount(
  database: Database,
  masterKey: KeyObject,
  clock: Clock,
): Promise<{ main: MainScope; actor: Actor }> {
  const main: MainScope = { kind: 'main', mainAccountId: newId() };
  const routers = [...demoOrganizations.flatMap(({ vehicles }) => vehicles), ...demoStock];
  const accountId = await database.write(async (tx) => {
    await tx.insertInto('main_accounts').values({ id: main.mainAccountId, name: demoMain.name }).execute();
    const id = await createAccount(tx, main, {
      email: demoMain.email,
      name: demoMain.person,
      role: 'main',
      password: demoPassword,
    });
    await registerRouters(
      tx,
      main,
      auditor(id),
      routers.map(({ serial, mac, model }) => ({ serial, mac, model, secret: demoSecret(masterKey, serial) })),
      clock.now(),
    );
    return id;
  });
  const actor: Actor = {
    ...auditor(accountId),
    role: 'main',
    accountId,
    name: demoMain.person,
    mainAccountId: main.mainAccountId,
    organizationId: null,
    sessionId: '',
  };
  return { main, actor };
}

function auditor(accountId: string) {
  return { accountId, email: demoMain.email, role: 'main', address: '127.0.0.1' };
}

async function seedOrganization(
  { clock }: Pick<DemoFileDeps, 'clock'>,
  ago: (days: number) => DemoFileDeps,
  main: MainScope,
  actor: Actor,
  demoFleet: DemoOrganization,
): Promise<OrganizationScope> {
  const { database } = ago(0);
  const groupKeys = new Map<string, string>();
  const scope = await database.write(async (tx) => {
    const created = await createOrganization(
      tx,
      main,
      actor,
      { name: demoFleet.name, phone: demoFleet.phone, address: demoFleet.address },
      ago(PAST_DAYS).clock.now(),
    );
    for (const group of demoFleet.groups)
      groupKeys.set(group.name, await createGroup(tx, created, group, ago(PAST_DAYS).clock.now()));
    await seedUsers(tx, created, demoFleet);
    return created;
  });
  const subscribed = demoFleet.vehicles.map((vehicle) => ({
    serial_number: vehicle.serial,
    mac: vehicle.mac,
    group: groupKeys.get(vehicle.group) ?? 'default+group+id',
    ...datesOf(vehicle.subscription, clock.now()),
  }));
  // No router has connected yet.
  await addDevices({ ...ago(29.2), routersClaimed: () => undefined }, scope, actor, subscribed);
  await seedConfigs(ago(28.7), scope, actor, demoFleet.configs);
  await seedEsims(ago(27.5), scope, actor, demoFleet);
  await database.write((tx) => describeVehicles(tx, scope, demoFleet));
  if (demoFleet.geofences !== undefined) await importGeofences(ago(25.4), scope, actor, JSON.stringify(demoFleet.geofences));
  return scope;
}

async function seedUsers(tx: Tx, scope: OrganizationScope, demoFleet: DemoOrganization): Promise<void> {
  for (const person of demoFleet.users) {
    const isContact = person.email === demoFleet.contact.email;
    await createAccount(tx, scope, { ...person, password: demoPassword, isContact });
  }
}

const DAY = 86_400_000;

/** MM/DD/YYYY of a day this many days from now, UTC. */
function dayText(now: Date, offset: number): string {
  const [year, month, day] = new Date(now.getTime() + offset * DAY).toISOString().slice(0, 10).split('-');
  return `${month}/${day}/${year}`;
}

/** Devices are always added with dates; a demo device with an ended subscription has both in the past. */
function datesOf(subscription: readonly [number, number] | null, now: Date): { started: string; expired: string } {
  const [from, to] = subscription ?? [-760, -395];
  return { started: dayText(now, from), expired: dayText(now, to) };
}

async function describeVehicles(tx: Tx, scope: OrganizationScope, demoFleet: DemoOrganization): Promise<void> {
  for (const { serial, vehicle, note } of demoFleet.vehicles) {
    await sql`update devices set vehicle_number = ${vehicle}, note = ${note} where organization_id = ${scope.organizationId} and serial = ${serial}`.execute(
      tx,
    );
  }
}

import { PRELOADED_CODE } from '@highline/usp';
import { addProfile, type EsimServiceDeps } from '../domains/esims/index.ts';
import type { Actor, OrganizationScope } from '../kernel/scope.ts';
import { carriers, type DemoVehicle } from './demo-vehicles.ts';
import { demoOrganizations, type DemoOrganization } from './fleet-data.ts';
import { demoNumbers } from './numbers.ts';

/** An additional profile of a demo vehicle; its matching id selects the simulated result (see the router's --help). */
interface DemoProfile {
  /** Host of the operator's server, and the prefix of the matching id; the vehicle's serial number follows. */
  readonly host: string;
  readonly id: string;
  readonly name: string;
  readonly apn: string;
}

/**
 * In the order of an organization's vehicles: one ready to use, one that cannot be downloaded, none, and one more ready to use.
 */
const profiles: readonly (DemoProfile | undefined)[] = [
  { host: 'smdp.att.example', id: 'BACKUP', name: 'Second carrier', apn: 'fleet.backup' },
  { host: 'smdp.tmobile.example', id: 'FAIL', name: 'Used-up code', apn: 'fleet.backup' },
  undefined,
  { host: 'smdp.verizon.example', id: 'ROAM', name: 'Cross-border', apn: 'roam.fleet' },
];

/** Set up the preloaded profiles of an organization's first vehicles, and give some of them another one. */
export async function seedEsims(
  deps: EsimServiceDeps,
  scope: OrganizationScope,
  actor: Actor,
  { vehicles }: Pick<DemoOrganization, 'vehicles'>,
): Promise<void> {
  const everyone = demoOrganizations.flatMap((organization) => organization.vehicles);
  for (const [index, more] of profiles.entries()) {
    const vehicle = vehicles[index];
    if (vehicle === undefined) return;
    const { eid, iccid } = numbersOf(vehicle, everyone.indexOf(vehicle));
    const common = { serial: vehicle.serial, eid, apn2: '' };
    await addProfile(deps, scope, actor, { ...common, code: PRELOADED_CODE, iccid, apn: 'internet', name: '', priority: 1 });
    if (more === undefined) continue;
    const { host, id, name, apn } = more;
    const code = `1$${host}$${id}-${vehicle.serial}`;
    await addProfile(deps, scope, actor, { ...common, code, iccid: '', apn, name, priority: 2 });
  }
}

/** The ICCID of the vehicle's SIM. */
export function iccidOf(vehicle: DemoVehicle): string {
  const everyone = demoOrganizations.flatMap((organization) => organization.vehicles);
  return numbersOf(vehicle, everyone.indexOf(vehicle)).iccid;
}

/** The numbers of the vehicle's simulated router. */
function numbersOf({ carrier }: DemoVehicle, index: number): { eid: string; iccid: string } {
  return demoNumbers(carriers[carrier], index);
}

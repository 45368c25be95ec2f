import { accounts, alerts, devices, geofences, organizations, type Role } from '@highline/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { pageOf } from '../../api/useList.ts';

/** The steps of an installation, in the order in which they are possible. */
export const mainSteps = ['stock', 'organization', 'admin', 'device', 'connected'] as const;
/** The steps of an organization. */
export const adminSteps = ['device', 'connected', 'person', 'rule', 'geofence'] as const;
export type StepId = (typeof mainSteps)[number] | (typeof adminSteps)[number];

/** A step, and whether it was taken. */
export interface Step {
  readonly id: StepId;
  readonly isDone: boolean;
}

/** How many devices there are, of all or of those that never connected. */
async function countDevices(signal: AbortSignal, presence?: 'never'): Promise<number> {
  const query = { limit: 1, ...(presence !== undefined && { presence }) };
  return pageOf(await call(devices.listDevices, { query, signal })).total;
}

/** Whether there is a device, and whether a router has ever connected, whatever its state is now. */
async function readDevices(signal: AbortSignal): Promise<Partial<Record<StepId, boolean>>> {
  const [all, never] = await Promise.all([countDevices(signal), countDevices(signal, 'never')]);
  return { device: all > 0, connected: all > never };
}

async function readMain(signal: AbortSignal): Promise<Partial<Record<StepId, boolean>>> {
  const [{ result: fleet }, { result: list }, steps] = await Promise.all([
    call(organizations.fleet, { signal }),
    call(organizations.listOrganizations, { query: { limit: 1, sort: '-contact' }, signal }),
    readDevices(signal),
  ]);
  return {
    ...steps,
    stock: fleet.stock + fleet.devices > 0,
    organization: fleet.organizations > 0,
    admin: list.list.some(({ contacter }) => contacter !== ''),
  };
}

async function readAdmin(signal: AbortSignal): Promise<Partial<Record<StepId, boolean>>> {
  const [steps, people, rules, fences] = await Promise.all([
    readDevices(signal),
    call(accounts.listAccounts, { query: { limit: 1 }, signal }),
    call(alerts.listRules, { query: {}, signal }),
    call(geofences.listGeofences, { query: {}, signal }),
  ]);
  return {
    ...steps,
    person: pageOf(people).total > 1,
    rule: rules.result.length > 0,
    geofence: fences.result.length > 0,
  };
}

/** What is set up, of an installation for a main account, else of an organization (SAY-13). */
export const setUpQuery = (role: Role) =>
  queryOptions({
    queryKey: ['setup', role],
    queryFn: async ({ signal }): Promise<readonly Step[]> => {
      const isMain = role === 'main';
      const done = await (isMain ? readMain(signal) : readAdmin(signal));
      return (isMain ? mainSteps : adminSteps).map((id) => ({ id, isDone: done[id] === true }));
    },
    meta: { topics: ['devices', 'organizations', 'inventory', 'accounts', 'alerts', 'geofences'] },
  });

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

/** How many devices there are with a presence. */
async function countDevices(signal: AbortSignal, presence?: 'online' | 'offline'): Promise<number> {
  const query = { limit: 1, ...(presence !== undefined && { presence }) };
  return pageOf(await call(devices.listDevices, { query, signal })).total;
}

/** Whether a router has ever connected: one that never did is neither online nor offline. */
async function hasConnected(signal: AbortSignal): Promise<boolean> {
  const [online, offline] = await Promise.all([countDevices(signal, 'online'), countDevices(signal, 'offline')]);
  return online + offline > 0;
}

async function readMain(signal: AbortSignal): Promise<Partial<Record<StepId, boolean>>> {
  const [{ result: fleet }, { result: list }, connected] = await Promise.all([
    call(organizations.fleet, { signal }),
    call(organizations.listOrganizations, { query: { limit: 1, sort: '-contact' }, signal }),
    hasConnected(signal),
  ]);
  return {
    stock: fleet.stock + fleet.devices > 0,
    organization: fleet.organizations > 0,
    admin: list.list.some(({ contacter }) => contacter !== ''),
    device: fleet.devices > 0,
    connected,
  };
}

async function readAdmin(signal: AbortSignal): Promise<Partial<Record<StepId, boolean>>> {
  const [all, connected, people, rules, fences] = await Promise.all([
    countDevices(signal),
    hasConnected(signal),
    call(accounts.listAccounts, { query: { limit: 1 }, signal }),
    call(alerts.listRules, { query: {}, signal }),
    call(geofences.listGeofences, { query: {}, signal }),
  ]);
  return {
    device: all > 0,
    connected,
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

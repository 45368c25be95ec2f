import { devices, organizations } from '@highline/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../../api/client.ts';

export type ImportResult = devices.ImportResult;

/** What the form holds, as it travels (DEV-05). */
export interface NewDevice {
  readonly group: string;
  readonly mac: string;
  readonly serial_number: string;
  readonly started: string;
  readonly expired: string;
}

/** Claim one device. @returns the ids of what was added */
export async function addDevice(org: string | undefined, device: NewDevice): Promise<readonly string[]> {
  const answer = await call(devices.addDevices, { body: { ...(org === undefined ? {} : { org }), devices: [device] } });
  return answer.result.map(({ device: id }) => id);
}

/** Add the rows of a CSV. */
export async function importDevices(org: string | undefined, file: File): Promise<ImportResult> {
  return (await call(devices.importDevices, { body: org === undefined ? {} : { org }, files: { file } })).result;
}

// As many as a select can offer; a main account with more opens Add from the organization's device list.
const MOST_ORGANIZATIONS = 200;

/** Organizations to choose from, by name. */
export const organizationsChoice = (enabled: boolean) =>
  queryOptions({
    queryKey: ['organizations', 'choice'],
    queryFn: async ({ signal }) =>
      (await call(organizations.listOrganizations, { query: { limit: MOST_ORGANIZATIONS, offset: 0, sort: 'name' }, signal }))
        .result.list,
    enabled,
    meta: { topics: ['organizations'] },
  });

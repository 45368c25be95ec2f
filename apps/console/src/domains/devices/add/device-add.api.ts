import { DEVICE_TYPE_ID, deviceAdding, devices, inventory, organizations, REALM } from '@highline/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call, type CallResponse } from '../../../api/client.ts';
import type { FileReading } from '../../../entities/imports/FileNotes.tsx';

export type ImportResult = CallResponse<typeof deviceAdding.importDevices>['result'];

/** Constants of the deployment that every call to add devices carries. */
const deployment = { realm: REALM, device_type_id: DEVICE_TYPE_ID };

/** The request fields of the form (DEV-05). */
export interface NewDevice {
  readonly group: string;
  readonly mac: string;
  readonly serial_number: string;
  readonly started: string;
  readonly expired: string;
}

/** Claim one device. @returns the ids of the added devices */
export async function addDevice(org: string | undefined, device: NewDevice): Promise<readonly string[]> {
  const body = { ...deployment, ...(org === undefined ? {} : { org }), devices: [device] };
  const response = await call(deviceAdding.addDevices, { body });
  return response.result.map(({ device: id }) => id);
}

/** The fields of the batch form, as typed (OLD-04). */
export interface Batch {
  readonly model: string;
  readonly name: string;
  readonly first: string;
  readonly batch: string;
  readonly serial_number: string;
  readonly group: string;
  readonly started: string;
  readonly expired: string;
}

type Sent = CallResponse<typeof deviceAdding.addBatch>['result'];
/** What a batch creates, or would create; a process of the version before has no confirmation. */
export type BatchResult = Pick<Sent, 'devices'> & Partial<Pick<Sent, 'confirmation'>>;
/** A device of a batch; its id is empty in a dry run. */
export type BatchRow = BatchResult['devices'][number];

/** Check what a batch would create (OLD-04). */
export function checkBatch(org: string, input: Batch): Promise<BatchResult> {
  return sendBatch(org, input, { dryRun: 'true' });
}

/**
 * Create a batch of devices (OLD-04).
 * @param confirmed of the check that the user has seen; undefined = the process of the version before, which checked, has none
 * @throws ApiError `impact.changed` with another `BatchResult` as detail
 */
export function addBatch(org: string, input: Batch, confirmed: string | undefined): Promise<BatchResult> {
  return sendBatch(org, input, confirmed === undefined ? {} : { confirmed });
}

async function sendBatch(org: string, input: Batch, query: { dryRun?: string; confirmed?: string }): Promise<BatchResult> {
  const { serial_number, first, batch, ...rest } = input;
  const from = serial_number.trim();
  const body = {
    ...deployment,
    ...rest,
    org,
    first: first.trim(),
    batch: Number(batch),
    ...(from === '' ? {} : { serial_number: from }),
  };
  return (await call(deviceAdding.addBatch, { query, body })).result;
}

/** Models of the routers in stock, by name. */
export const modelsInStock = queryOptions({
  queryKey: ['inventory', 'models'],
  queryFn: async ({ signal }) => (await call(inventory.listModels, { query: {}, signal })).result.map(({ model }) => model),
  meta: { topics: ['inventory'] },
});

export interface ImportOptions {
  readonly org: string | undefined;
  /** A file for an organization's wizard may leave the dates out (ORG-03). */
  readonly layout?: 'organization';
  /** Check only: nothing is written. */
  readonly dryRun?: boolean;
  readonly reading?: FileReading;
}

/** Add the rows of a CSV or workbook, or check the result without adding them. @throws ApiError `csv.dates_ambiguous` */
export async function importDevices({ org, layout, dryRun = false, reading }: ImportOptions, file: File): Promise<ImportResult> {
  const body = { ...deployment, ...(org === undefined ? {} : { org }), ...(layout === undefined ? {} : { layout }) };
  const query = { dates: 'ask' as const, ...reading, ...(dryRun ? { dryRun: 'true' } : {}) };
  return (await call(deviceAdding.importDevices, { query, body, files: { file } })).result;
}

/** The number of organizations offered at once; the search finds the others. */
const OFFERED = 20;

/** The first organizations whose name contains a text, ignoring case, and their total. */
export const organizationChoices = (search: string) =>
  queryOptions({
    queryKey: ['organizations', 'offered', search],
    queryFn: async ({ signal }) => {
      const filter = search === '' ? {} : { search, field: 'name' as const, ignoreCase: 'true' as const };
      const query = { ...filter, limit: OFFERED, offset: 0, sort: 'name' } as const;
      const response = await call(organizations.listOrganizations, { query, signal });
      return { options: response.result.list, total: response.total ?? response.result.list.length };
    },
    placeholderData: keepPreviousData,
    meta: { topics: ['organizations'] },
  });

/** Up to two routers of an organization, as an example of the file format. */
export async function fetchExampleRouters(org: string | undefined) {
  const response = await call(devices.listDevices, { query: { org, limit: 2, offset: 0, sort: 'serial' } });
  return response.result.map(({ serial_number: serial, mac }) => ({ serial, mac }));
}

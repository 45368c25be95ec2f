import { tools } from '@highline/contract';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { call, callFile, ifMatch } from '../../api/client.ts';
import { REFRESH_MS } from '../../api/useList.ts';

export type ToolRun = tools.ToolRun;
export type ToolKind = tools.ToolKind;
export type ToolInput = tools.ToolInput;
export type ToolTargets = tools.ToolTargets;
export type StoredToolTargets = tools.StoredToolTargets;
export type MeasuredSpeed = tools.MeasuredSpeed;

/** The device whose router runs tests. */
export interface ToolDevice {
  readonly device: string;
  /** Its organization, which the main account has to name. */
  readonly org: string;
}

const meta = { topics: ['tools'] } as const;

/** Tests of a device, the newest first; older pages follow by cursor. */
export const runsQuery = ({ device, org }: ToolDevice) =>
  infiniteQueryOptions({
    queryKey: ['tools', 'runs', device],
    queryFn: ({ pageParam, signal }) =>
      call(tools.listRuns, {
        params: { device },
        query: { org, limit: 20, ...(pageParam === undefined ? {} : { cursor: pageParam }) },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    refetchInterval: REFRESH_MS,
    meta,
  });

/** A test with its result, and those before it. */
export const runQuery = (run: string, org: string) =>
  queryOptions({
    queryKey: ['tools', 'run', run],
    queryFn: async ({ signal }) => (await call(tools.getRun, { params: { run }, query: { org }, signal })).result,
    refetchInterval: REFRESH_MS,
    meta,
  });

/** The tests that a connected router has. They change with its firmware only. */
export const offeredQuery = ({ device, org }: ToolDevice) =>
  queryOptions({
    queryKey: ['tools', 'offered', device],
    queryFn: async ({ signal }) => (await call(tools.listOffered, { params: { device }, query: { org }, signal })).result,
    staleTime: 600_000,
    retry: false,
  });

/** Where a router is, it may report minutes after a test; the server looks for a position of five minutes before or after it. */
const PLACE_MS = 600_000;
const PLACE_EVERY_MS = 15_000;

/** The speeds that tests of a device measured, the newest first; read again while the place of one may become known. */
export const speedsQuery = ({ device, org }: ToolDevice) =>
  queryOptions({
    queryKey: ['tools', 'speeds', device],
    queryFn: async ({ signal }) => (await call(tools.listSpeeds, { params: { device }, query: { org }, signal })).result,
    refetchInterval: ({ state: { data } }) =>
      data?.some(({ at, place }) => place === null && Date.now() - Date.parse(at) < PLACE_MS) === true && PLACE_EVERY_MS,
    meta,
  });

/** Which addresses may be tested. */
export const targetsQuery = (org: string) =>
  queryOptions({
    queryKey: ['tools', 'targets', org],
    queryFn: async ({ signal }) => (await call(tools.getTargets, { query: { org }, signal })).result,
    meta,
  });

/** @throws ApiError `conflict.stale` when another person saved in the meantime */
export async function saveTargets(targets: ToolTargets, etag: string | undefined): Promise<StoredToolTargets> {
  return (await call(tools.saveTargets, { body: targets, ...ifMatch(etag) })).result;
}

export async function runTool({ device }: Pick<ToolDevice, 'device'>, input: ToolInput): Promise<ToolRun> {
  return (await call(tools.runTool, { params: { device }, body: { input } })).result;
}

/** What is stored of a device of the last days. */
export const fetchBundle = (device: string, days: number): Promise<Blob> =>
  callFile(tools.readSupportBundle, { params: { device }, query: { days } });

export const fetchRunFile = (run: string): Promise<Blob> => callFile(tools.readRunFile, { params: { run }, query: {} });

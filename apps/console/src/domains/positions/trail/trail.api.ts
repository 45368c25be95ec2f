import { type Language, positions } from '@highline/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call, type CallResponse, callFile } from '../../../api/client.ts';
import { fixOf, type Fix } from './trail.ts';

type TrailResult = CallResponse<typeof positions.trail>['result'];

/** Where a device was on a day. */
export interface Trail extends Omit<TrailResult, 'fixes'> {
  readonly fixes: readonly Fix[];
}

const REFRESH_MS = 15_000;

/** @param day ISO; undefined = today, which is fetched again now and then */
export const trailQuery = (device: string, day: string | undefined, zone: string) =>
  queryOptions({
    queryKey: ['positions', 'trail', device, day, zone],
    queryFn: async ({ signal }): Promise<Trail> => {
      const { result } = await call(positions.trail, { query: { device, zone, ...(day === undefined ? {} : { day }) }, signal });
      return { ...result, fixes: result.fixes.map(fixOf) };
    },
    refetchInterval: day === undefined ? REFRESH_MS : false,
    placeholderData: keepPreviousData,
  });

/** The trail of a day as a file. */
export function fetchTrailFile(
  trail: { readonly device: string; readonly day: string; readonly zone: string },
  format: positions.TrailFormat,
  language: Language,
): Promise<Blob> {
  return callFile(positions.trailFile, { query: { ...trail, format, language } });
}

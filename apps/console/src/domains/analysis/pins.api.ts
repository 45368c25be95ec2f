import { analysis } from '@highline/contract';
import { queryOptions } from '@tanstack/react-query';
import { call, type CallInput } from '../../api/client.ts';
import { REFRESH_MS } from '../../api/useList.ts';

export type PinnedChart = analysis.PinnedChart;
type PinBody = NonNullable<CallInput<typeof analysis.storeDraw>['body']>;

/** The person's own pinned charts, oldest first (OVW-08). */
export const pinsQuery = () =>
  queryOptions({
    queryKey: ['analysis', 'pins'],
    queryFn: async ({ signal }) => (await call(analysis.listDraws, { query: {}, signal })).result,
    refetchInterval: REFRESH_MS,
    meta: { topics: ['charts'] },
  });

/** Pin a chart to the person's own overview; the same chart again is the same pin. */
export async function pin(body: PinBody): Promise<PinnedChart> {
  return (await call(analysis.storeDraw, { body })).result;
}

/** Take a chart off the overview. */
export async function unpin(draw: string): Promise<void> {
  await call(analysis.deleteDraw, { params: { draw } });
}

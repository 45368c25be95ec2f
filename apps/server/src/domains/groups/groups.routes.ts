import { groups } from '@highline/contract';
import type { Routes } from '../../http/call.ts';
import { streamList } from '../../http/json-stream.ts';
import { limitOf, type Reader, type RowStreams } from '../../listing/index.ts';
import { pageGroups, streamGroups } from './groups.queries.ts';

export interface GroupRoutesDeps {
  readonly reader: Reader;
  readonly streams: RowStreams;
}

export function registerGroupRoutes(routes: Routes, { reader, streams }: GroupRoutesDeps): void {
  routes.on(groups.listGroups, async ({ scope, query }) => {
    const limit = limitOf(query);
    return limit === undefined ? streamList(streamGroups(streams, scope, query)) : pageGroups(reader, scope, query, limit);
  });
}

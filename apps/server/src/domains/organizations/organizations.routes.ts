import { organizations } from '@highline/contract';
import { announceCsv, writeCsv } from '../../csv/index.ts';
import type { Routes } from '../../http/call.ts';
import { streamList } from '../../http/json-stream.ts';
import { limitOf, type Reader, type RowStreams } from '../../listing/index.ts';
import type { Clock } from '../../ports/clock.ts';
import { subscriptionDay } from '../subscriptions/index.ts';
import { organizationColumns } from './organization.export.ts';
import { pageOrganizations, streamOrganizations } from './organizations.queries.ts';

export interface OrganizationRoutesDeps {
  readonly reader: Reader;
  readonly streams: RowStreams;
  readonly clock: Clock;
  /** A subscription that ends within so many days is expiring. */
  readonly expiringDays: number;
}

export function registerOrganizationRoutes(routes: Routes, deps: OrganizationRoutesDeps): void {
  const { reader, streams, clock, expiringDays } = deps;
  const today = () => subscriptionDay(clock.now(), expiringDays);

  routes.on(organizations.listOrganizations, async ({ scope, query }) => {
    const limit = limitOf(query);
    if (limit !== undefined) return pageOrganizations(reader, scope, query, today(), limit);
    return streamList(streamOrganizations(streams, scope, query, today()), 'account');
  });

  routes.on(organizations.exportOrganizations, async ({ scope, query, reply }) => {
    const rows = streamOrganizations(streams, scope, query, today());
    announceCsv(reply, 'Organizations_export');
    return writeCsv(organizationColumns(query.language ?? 'en-US'), rows);
  });
}

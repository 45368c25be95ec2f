import { Readable } from 'node:stream';
import { fleetMetrics } from '@highline/contract';
import type { Routes } from '../../platform/calls/call.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import { readFleetFigures } from './fleet-metrics.queries.ts';
import { writeFleetMetrics } from './fleet-metrics.ts';

export type FleetMetricsDeps = Pick<Deps, 'reader' | 'clock' | 'expiringDays'>;

/** Registers the figures of fleets for Prometheus (HKS-05). */
export function registerFleetMetricsRoutes(routes: Routes, { reader, clock, expiringDays }: FleetMetricsDeps): void {
  routes.on(fleetMetrics.readFleetMetrics, async ({ scope, reply }) => {
    const figures = await readFleetFigures(reader, scope, { now: clock.now(), expiringDays });
    reply.type(fleetMetrics.PROMETHEUS_TYPE);
    return Readable.from([await writeFleetMetrics(figures)]);
  });
}

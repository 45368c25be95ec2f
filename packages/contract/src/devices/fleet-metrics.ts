import { z } from 'zod';
import { everyRole, operation } from '../operation.ts';
import { tenantQuery } from '../conventions.ts';

export const PROMETHEUS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

export const readFleetMetrics = operation({
  id: 'metrics.read',
  method: 'GET',
  path: '/metrics',
  summary:
    'Figures of the fleet for Prometheus, by organization: devices by state, offline for longer, with weak signal, failed SIMs, subscriptions, open alerts, and data used this month (HKS-05).',
  scope: 'tenant',
  roles: everyRole,
  query: tenantQuery,
  response: z.string(),
  sends: 'file',
  fileTypes: ['text/plain'],
  /** A scrape of a main account counts in all of its organizations. */
  queue: 'questions',
});

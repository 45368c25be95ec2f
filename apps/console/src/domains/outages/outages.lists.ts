import { outages } from '@highline/contract';
import { listSpec } from '../../ui/list/spec.ts';

/** What every view of the outages has in the address: the view, the period, and what is meant. */
const filters = {
  tab: outages.outageSums,
  period: ['7', '90', 'month', 'last-month'],
  kind: [...outages.outageKinds, 'all'],
  device: 'text',
  group: 'text',
  carrier: 'text',
  hexagon: 'text',
  org: 'text',
} as const;
const keeps = ['tab'] as const;

/** /outages (RPM-04). */
export const outageList = listSpec({
  id: 'outages',
  defaultSize: 20,
  sorts: ['from', 'minutes', 'outages', 'share'],
  fields: ['vehicle', 'serial'],
  filters,
  keeps,
});

/** Each outage. */
export const eachOutage = listSpec({
  id: 'outages-each',
  defaultSize: 20,
  sorts: ['from'],
  fields: ['vehicle', 'serial'],
  filters,
  keeps,
});

/** Sums of outages. */
export const sumList = listSpec({
  id: 'outages-sums',
  defaultSize: 20,
  sorts: ['minutes', 'outages', 'share'],
  fields: [],
  filters,
  keeps,
});

import type { SummaryKind, SummarySum } from './kinds.ts';

/** Those that people who are limited to groups and tags may read: the others are about the whole organization (IAM-04). */
export const limitedSummaryKinds: readonly SummaryKind[] = [
  'data-use',
  'availability',
  'outages',
  'alerts',
  'inventory',
  'subscriptions',
];

/** What the rows of a kind can be limited to. */
export type SummaryFilter = 'group' | 'carrier' | 'tag';
export const summaryFilters: Readonly<Record<SummaryKind, readonly SummaryFilter[]>> = {
  'data-use': ['group', 'carrier', 'tag'],
  availability: ['group', 'carrier', 'tag'],
  outages: ['group', 'carrier', 'tag'],
  signal: ['group', 'carrier', 'tag'],
  coverage: ['carrier'],
  alerts: ['group', 'carrier', 'tag'],
  people: [],
  'remote-sessions': ['group', 'tag'],
  inventory: ['group', 'carrier', 'tag'],
  settings: ['group', 'tag'],
  subscriptions: ['group', 'carrier', 'tag'],
};

/** What its rows can stand for; the first is the usual one. */
export const sumsOfKind: Readonly<Partial<Record<SummaryKind, readonly SummarySum[]>>> = {
  'data-use': ['sims', 'vehicles', 'groups', 'plans'],
  availability: ['vehicles', 'groups', 'carriers'],
};

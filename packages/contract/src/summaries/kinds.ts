// Apart from the calls: the console needs these values, and no schema.

/** What a summary is about. */
export const summaryKinds = [
  'data-use',
  'availability',
  'outages',
  'signal',
  'coverage',
  'alerts',
  'people',
  'remote-sessions',
  'inventory',
  'settings',
  'subscriptions',
] as const;
export type SummaryKind = (typeof summaryKinds)[number];

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

/** What a row can stand for; the first of a kind is the usual one. */
export const summarySums = ['sims', 'vehicles', 'groups', 'plans', 'carriers'] as const;
export type SummarySum = (typeof summarySums)[number];
export const sumsOfKind: Readonly<Partial<Record<SummaryKind, readonly SummarySum[]>>> = {
  'data-use': ['sims', 'vehicles', 'groups', 'plans'],
  availability: ['vehicles', 'groups', 'carriers'],
};

/** What stands between the cells of a CSV: many spreadsheets in Europe read semicolons. */
export const separators = ['comma', 'semicolon', 'tab'] as const;
export type Separator = (typeof separators)[number];

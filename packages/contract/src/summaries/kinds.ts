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

/** What a row can stand for. */
export const summarySums = ['sims', 'vehicles', 'groups', 'plans', 'carriers'] as const;
export type SummarySum = (typeof summarySums)[number];

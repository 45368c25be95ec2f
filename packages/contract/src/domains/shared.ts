// Written by `npm run openapi` from the folders of the domains.
export * from '../alerts/rights.ts';
export * from '../bulk-jobs/rights.ts';
export * from '../groups/rights.ts';
export * from '../links/rights.ts';
export * from '../notifications/rights.ts';
export * from '../recordings/limits.ts';
export * from '../roles/rights.ts';
export * from '../rollouts/rights.ts';
export * from '../summaries/formats.ts';
export * from '../summaries/kinds.ts';
export * from '../summaries/limits.ts';
export * from '../summaries/rights.ts';
export * from '../tools/limits.ts';
export * from '../usage/rights.ts';
export * from '../webhooks/formats.ts';
export * from '../webhooks/rights.ts';

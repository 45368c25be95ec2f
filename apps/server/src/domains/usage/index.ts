export { shareOfAllowance } from './plan-events.job.queries.ts';
export type { DeviceShare } from './plans.queries.ts';
export { addPlan } from './plans.service.ts';
export { createPlanJobs } from './plans.job.ts';
export { purgeUsageOf } from './usage.purge.ts';
export { todayOf } from './zones.queries.ts';
export { readMonthTotals } from './usage.queries.ts';
export { createUsage, type Usage } from './usage.service.ts';
export { usageModule } from './module.ts';

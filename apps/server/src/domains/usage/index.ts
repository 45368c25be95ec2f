export { allowanceLeft } from './allowance-left.queries.ts';
export { addPlan } from './plans.service.ts';
export { createPlanJobs } from './plans.job.ts';
export { zoneAt } from './zones.job.queries.ts';
export { readDayZone, readToday, todayOf, zoneOf } from './zones.queries.ts';
export { readMonthTotals } from './use-of-sims.queries.ts';
export { createUsage, type Usage } from './usage.service.ts';
export { usageModule } from './module.ts';
export { periodSums, periodUse, periodUseByDay, type PeriodSum, type PeriodUse } from './period-use.queries.ts';

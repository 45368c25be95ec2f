export { networksModule } from './module.ts';
export { readClientCounters } from './use/client-counters.ts';
export { readClientSettings } from './use/use.queries.ts';
export { closeLeftCounters } from './use/days.job.queries.ts';
export { storeCounters } from './use/client-use.ts';
export { readReportedNetworks } from './networks.queries.ts';
export { createNetworks, type Networks } from './networks.service.ts';

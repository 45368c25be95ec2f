export { insertChangedFacts, routerFacts, type RouterFact } from './router-facts.ts';
export { purgeRouterEvents } from './router-events.purge.ts';
export { recordRouterEvents, type RouterEvent } from './router-events.store.ts';
import './history.tables.ts';

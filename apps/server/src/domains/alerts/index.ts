export { addRule } from './alert-rules.service.ts';
export { compareAll, endOutOfViews, fireAndResolve } from './alerts.job.ts';
export { sendMessages } from './alert-messages.job.ts';
export { purgeAlertsOf } from './alert-rules.store.ts';
export { createReadingAlerts, type ReadingAlerts } from './reading-alerts.ts';
export { compareCrossings, comparePositions, comparePresence } from './stored-with.ts';
export { alertsModule } from './module.ts';
export { addStarterRules } from './starter-rules.ts';
export { dropPerson } from './alert-people.service.ts';

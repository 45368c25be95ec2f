export { recordAudit, type AuditActor } from './audit.ts';
export { registerLogRoutes, type LogRoutesDeps } from './logs.routes.ts';
export { describeMany, type ManyDevices } from './many.ts';

export { recordAudit, type AuditActor, type AuditEvent } from './audit.ts';
export { createCheckpoints } from './checkpoints.ts';
export { EvidenceFault, verifyEvidence } from './evidence.ts';
export { registerLogRoutes, type LogRoutesDeps } from './logs.routes.ts';
export { describeMany, type ManyDevices } from './many.ts';
export { createLogRetention } from './retention.ts';
export { isGenuine } from './signed.ts';

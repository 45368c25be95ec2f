export { recordAudit, type AuditActor } from './audit.ts';
export { describeMany, type ManyDevices } from './many.ts';

export { sentence, type AuditAction, type SentencePart } from './sentences.ts';
export { recordAudit, recordAudits, type AuditActor, type AuditEvent } from './audit.ts';
export { createCheckpoints } from './checkpoints.ts';
export { AuditExportFault, verifyAuditExport } from './audit-export.ts';
export { describeMany } from './many.ts';
export { createLogRetention } from './retention.ts';
export { isGenuine } from './signatures.ts';
export { logsModule } from './module.ts';

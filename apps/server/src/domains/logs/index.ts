export { recordAudit } from './audit.ts';

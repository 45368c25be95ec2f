export { createPresence, type PresenceService, type PresenceDeps, type PresenceStats } from './presence.service.ts';
export type { ConnectivityKind, ReportedPatch } from './presence.changes.ts';
import './presence.tables.ts';

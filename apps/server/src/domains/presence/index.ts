export { createPresence, type Presence, type PresenceDeps, type PresenceStats } from './presence.service.ts';
export type { ConnectivityKind, OtaSupport, ReportedPatch } from './presence.changes.ts';

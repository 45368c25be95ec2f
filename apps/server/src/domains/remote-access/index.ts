export { registerRemoteAccessRoutes } from './remote-access.routes.ts';
export { createRemoteAccess, type RemoteAccess } from './remote-access.service.ts';
export { clientRuleEnd } from './clients/client-rule.store.ts';
export { saveClientRule } from './clients/save-client-rule.ts';
export type { RemoteAccessTimeouts } from './live-sessions.ts';

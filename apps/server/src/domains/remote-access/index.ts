export { registerRemoteAccessRoutes } from './remote-access.routes.ts';
export { createRemoteAccess, nodeName, type RemoteAccess, type RemoteAccessDeps } from './remote-access.service.ts';
export type { RemotePatience } from './live-sessions.ts';

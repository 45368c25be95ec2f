export { ActiveConnection } from './ActiveConnection.tsx';
export { ConnectAction, ResetAction } from './RemoteActions.tsx';
export type { Target } from './remote-access.api.ts';

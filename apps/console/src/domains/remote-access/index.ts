export { ActiveConnection } from './ActiveConnection.tsx';
export { ConnectAction, ResetAction } from './RemoteActions.tsx';
export { TerminalPanel } from './terminal/TerminalPanel.tsx';
export type { Target } from './remote-access.api.ts';

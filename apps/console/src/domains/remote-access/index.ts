export { ActiveConnection } from './ActiveConnection.tsx';
export { ConnectAction, ResetAction } from './RemoteActions.tsx';
export { pageOf, sshLine } from './remote-access.ts';
export { isTerminalEnd, TerminalPanel, TerminalView } from './terminal/TerminalPanel.tsx';
export type { Target } from './remote-access.api.ts';

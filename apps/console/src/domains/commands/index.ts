export { CommandsPanel } from './CommandsPanel.tsx';
export { DeviceActions } from './DeviceActions.tsx';
export { OpenCommands } from './OpenCommands.tsx';
export { PasswordPanel } from './PasswordPanel.tsx';
export { PinnedCommands } from './PinnedCommands.tsx';

export { CommandsPanel } from './CommandsPanel.tsx';
export { PinnedCommands } from './PinnedCommands.tsx';

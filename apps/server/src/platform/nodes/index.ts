export { Balance, defaultBalance, type BalanceSettings } from './balance.ts';
export { createNode, type LeaseTimeouts, type ServerNode, type SharedParts } from './node.ts';
export { readNodeName } from './node-name.ts';
export { purgeNodes, recordKeys } from './nodes.store.ts';

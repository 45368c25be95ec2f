export { createNode, type LeaseTimeouts, type ServerNode } from './node.ts';
export { nodeName } from './node-name.ts';
export { purgeNodes } from './nodes.store.ts';
import './nodes.tables.ts';

export { networkOf } from '../../kernel/index.ts';
export { Allowance } from './allowance.ts';
export { rejectSocket } from './reject-socket.ts';
export { readUspAddress } from './usp-address.ts';

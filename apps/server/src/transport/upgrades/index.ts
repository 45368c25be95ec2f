export { Allowance, networkOf } from './allowance.ts';
export { rejectSocket } from './reject-socket.ts';
export { readUspAddress } from './usp-address.ts';

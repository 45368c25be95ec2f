export { LazyCycleUse } from './LazyCycleUse.tsx';
export { loadDeviceUse } from './load.ts';

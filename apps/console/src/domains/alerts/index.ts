export { FiringCount } from './FiringCount.tsx';
export { PushRenewal } from './PushRenewal.tsx';
export { OpenAlerts } from './OpenAlerts.tsx';

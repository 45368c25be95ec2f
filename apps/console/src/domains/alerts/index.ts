export { FiringCount } from './FiringCount.tsx';
export { OpenAlerts } from './OpenAlerts.tsx';

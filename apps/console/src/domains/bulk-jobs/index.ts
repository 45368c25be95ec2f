export { ActiveJobs } from './ActiveJobs.tsx';
export { BulkBar } from './BulkBar.tsx';

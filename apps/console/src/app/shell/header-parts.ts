// What the frame shows after the page, in one file: each by itself would be a request of every page.
export { ActiveJobs } from '../../domains/bulk-jobs/index.ts';
export { FiringCount, PushRenewal } from '../../domains/alerts/index.ts';
export { SidebarViews } from './SidebarViews.tsx';

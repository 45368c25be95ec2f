// What the frame shows after the page, in one file: each by itself would be a request of every page.
export { ActiveJobs } from '../../domains/bulk-jobs/ActiveJobs.tsx';
export { FiringCount } from '../../domains/alerts/FiringCount.tsx';
export { SidebarViews } from './SidebarViews.tsx';

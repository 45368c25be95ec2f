export { closedWindow, type WindowClosed } from './update-window.ts';
export { readWindowFacts } from './window-facts.job.queries.ts';
export { findWindowImpact, rejectUnfitWindow } from './window-impact.queries.ts';

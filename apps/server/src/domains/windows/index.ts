export { closedWindow, type WindowClosed } from './update-window.ts';
export { readWindowFacts } from './window-facts.queries.ts';
export { findWindowImpact, rejectUnfitWindow } from './window-impact.queries.ts';

export { holdsRollouts } from './approvals.queries.ts';
export { ApprovalNeeded, isApproved, mayBeHeld, requireApproval, withApprovalOf, type Effect } from './effect.ts';
export { holdCall, type ApprovalDeps, type HeldCall, type Replay } from './approvals.service.ts';
export { approvalsModule } from './module.ts';

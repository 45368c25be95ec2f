import { approvals } from '@highline/contract';
import { listSpec } from '../../ui/list/spec.ts';

/** /approvals: acts that wait for a second person, or did, the newest first (IAM-07). */
export const approvalList = listSpec({
  id: 'approvals',
  defaultSize: 10,
  sorts: [],
  fields: [],
  filters: { state: approvals.approvalStates },
});

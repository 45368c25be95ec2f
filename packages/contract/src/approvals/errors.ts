import { failureRow as failure } from '../failure-row.ts';

export const errors = {
  /** Not a success: a program that does not know approvals must not take it for one. `detail.approval` is its id. */
  'approval.waiting': failure(409, 'This waits for the approval of a second person. Nothing was changed yet.'),
  'approval.changed': failure(409, 'What this would touch has changed since. Check it again.'),
  'approval.not_found': failure(404, 'This request does not exist.'),
  'approval.not_waiting': failure(409, 'This request does not wait any more.'),
  'approval.own': failure(403, 'No one approves their own request. A second person has to.'),
  'approval.in_person': failure(403, 'Only a person who is signed in can do this, not a program.'),
  'approval.requester': failure(409, 'The person who requested this is no longer allowed to do it. Reject the request.'),
  'approval.too_many': failure(409, 'At most 200 requests can wait. Decide or withdraw some first.'),
  'approval.new_secret': failure(409, 'Restore the earlier settings first, and change secrets after it was approved.'),
  'approval.no_second': failure(409, 'There has to be a second admin who can sign in and sees everything, to approve.'),
  'approval.rule_elsewhere': failure(
    400,
    'The main account has the rule for deleting organizations, and each organization has the others.',
  ),
  /** For people without a password. */
  'approval.sign_in_again': failure(403, 'Sign in again, and save within ten minutes.'),
  'approval.reason': failure(400, 'Enter a reason for the person who requested it.'),
} as const;

import { failureRow as failure } from '../failure-row.ts';

export const errors = {
  'alert.not_found': failure(404, 'This alert no longer exists.'),
  'alert.rule_not_found': failure(404, 'This alert rule no longer exists.'),
  'alert.rule_name_taken': failure(409, 'An alert rule with this name already exists.'),
  'alert.too_many_rules': failure(409, 'An organization can have at most 50 alert rules. Delete one first.'),
  'alert.scope_not_found': failure(400, 'The group, tag, view or geofence of this rule does not exist. Choose another one.'),
  'alert.replay_too_large': failure(
    422,
    'There is too much history to try this rule on. Choose one group or one tag; the rule can be saved as it is.',
  ),
  'alert.channel_not_found': failure(400, 'A webhook of this rule no longer exists. Choose one from the list.'),
} as const;

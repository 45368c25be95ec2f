import { failureRow as failure } from '../failure-row.ts';

export const errors = {
  'webhook.key_missing': failure(400, 'Enter the key that the receiver has issued.'),
  'webhook.has_no_secret': failure(
    409,
    'This webhook has no signing secret: its receiver knows it by a key. Enter a new key instead.',
  ),
  'webhook.only_alerts': failure(400, 'PagerDuty and Opsgenie take alerts only. Remove the other events.'),
  'webhook.not_found': failure(404, 'This webhook does not exist.'),
  'webhook.too_many': failure(409, 'There can be at most 20 webhooks. Delete one first.'),
  'webhook.url_invalid': failure(400, 'Webhooks cannot be sent to this address. Use an https address on the internet.'),
  'webhook.groups_of_main': failure(400, 'A webhook of the main account can be limited by tags, but not by groups.'),
  'webhook.suspended': failure(409, 'This webhook is already suspended.'),
  'webhook.not_suspended': failure(409, 'This webhook is not suspended.'),
  'webhook.delivery_not_found': failure(404, 'This event is no longer in the log of the webhook.'),
  'webhook.delivery_waiting': failure(409, 'This event is already waiting to be sent.'),
} as const;

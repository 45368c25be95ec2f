import { failureRow as failure } from '../failure-row.ts';

export const errors = {
  'command.not_found': failure(404, 'This command no longer exists.'),
  'command.name_taken': failure(409, 'A command with this name already exists.'),
  'command.too_many': failure(409, 'An organization can have at most 32 commands. Delete one first.'),
  'command.too_many_pinned': failure(409, 'Two commands are already pinned. Unpin one first.'),
  'command.offline': failure(409, 'The router is not connected. Nothing was sent. Try again when it is online.'),
  'command.no_answer': failure(504, 'The router did not answer. It may still have run the command.'),
  'command.unknown': failure(404, 'This command no longer exists or was deleted.'),
  'command.too_many_open': failure(409, 'Ten commands of this device have not ended yet. Cancel one first.'),
  'command.not_waiting': failure(409, 'This command was already sent or has ended, so it cannot be cancelled.'),
  'password.none': failure(404, 'No password of this router is stored. Set one first.'),
  'password.own_needed': failure(403, 'Enter the password of your account to see this one.'),
} as const;

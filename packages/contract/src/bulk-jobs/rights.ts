import { deleteAccount } from '../accounts/calls.ts';
import { deleteColleague } from '../accounts/colleagues.ts';
import { revokeKey } from '../api-keys/calls.ts';
import { runCommand } from '../commands/calls.ts';
import { setRouterPassword } from '../commands/router-passwords.ts';
import { sendCommand, SET_PASSWORD, type SentKind } from '../commands/sent-commands.ts';
import { deleteConfig } from '../configs/calls.ts';
import { deleteDevices, saveDevice, saveSubscription } from '../devices/calls.ts';
import { deleteFirmware } from '../firmware/calls.ts';
import { deleteGroups } from '../groups/calls.ts';
import { deleteRouters } from '../inventory/calls.ts';
import { deleteRecipients } from '../notifications/calls.ts';
import type { Right } from '../operation.ts';
import { deleteOrganization } from '../organizations/calls.ts';
import type { JobKind, RowList } from './calls.ts';

/** What a job of each kind does to many devices is done to one by this call (BLK-01). */
const jobRights: Readonly<Record<Exclude<JobKind, 'remove'>, Right>> = {
  move: saveDevice,
  subscription: saveSubscription,
  tags: saveDevice,
  command: runCommand,
  send: sendCommand,
  delete: deleteDevices,
};

/** What a job that deletes rows of a list does to many is done to one by this call. */
const removalRights: Readonly<Record<RowList, Right>> = {
  groups: deleteGroups,
  configs: deleteConfig,
  users: deleteAccount,
  colleagues: deleteColleague,
  inventory: deleteRouters,
  organizations: deleteOrganization,
  notifications: deleteRecipients,
  firmware: deleteFirmware,
  apiKeys: revokeKey,
};

/** The rights that a job needs besides that to start it. */
export function rightsOfJob(
  action:
    | { readonly kind: Exclude<JobKind, 'remove' | 'send'> }
    | { readonly kind: 'send'; readonly send?: SentKind | undefined; readonly order?: { readonly kind: SentKind } }
    | { readonly kind: 'remove'; readonly list: RowList },
): readonly Right[] {
  if (action.kind === 'send' && (action.order?.kind ?? action.send) === SET_PASSWORD) return [setRouterPassword];
  if (action.kind !== 'remove') return [jobRights[action.kind]];
  return action.list === 'groups' ? [removalRights.groups, saveDevice] : [removalRights[action.list]];
}

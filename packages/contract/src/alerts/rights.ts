import { runCommand } from '../commands/calls.ts';
import { sendCommand } from '../commands/sent-commands.ts';
import { useProfile } from '../esims/calls.ts';
import type { Right } from '../operation.ts';
import { runTool } from '../tools/calls.ts';
import { listAlerts, type RuleDoes } from './calls.ts';

/** What an alert rule does by itself is done to one device by these calls (WIN-03). */
export const actionRights: Readonly<Record<RuleDoes['kind'], Right>> = {
  command: runCommand,
  send: sendCommand,
  profile: useProfile,
  webhook: listAlerts,
  test: runTool,
};

/** The right to what a rule does: a command that waits for a window is sent. */
export function actionRight(does: RuleDoes): Right {
  return does.kind === 'command' && does.window !== undefined ? sendCommand : actionRights[does.kind];
}

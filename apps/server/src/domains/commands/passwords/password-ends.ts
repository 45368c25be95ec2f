import { sentCommands } from '@highline/contract';
import type { PasswordEnds } from './stored-passwords.job.queries.ts';

/** A command that ended. */
interface EndedCommand {
  readonly id: string;
  readonly routerId: string;
  readonly kind: sentCommands.SentKind;
  readonly state: sentCommands.SentState;
  readonly reason?: sentCommands.SentReason | null | undefined;
  /** How often it was sent. */
  readonly sends: number;
}

/**
 * What the ends of commands mean for passwords. A router that was sent one and did not answer may have it, also when it rejected the same
 * one later; so nothing that may open a router is deleted before it confirmed another one.
 */
export function passwordEnds(commands: readonly EndedCommand[]): PasswordEnds {
  const ends = { set: [] as string[], unconfirmed: [] as string[], unset: [] as string[], reset: [] as string[] };
  for (const { id, routerId, kind, state, reason, sends } of commands) {
    if (kind === 'factory-reset' && state === 'done') ends.reset.push(routerId);
    if (kind !== sentCommands.SET_PASSWORD) continue;
    const mayHaveIt = reason === 'no-answer' || reason === 'interrupted' || sends > 1;
    ends[state === 'done' ? 'set' : mayHaveIt ? 'unconfirmed' : 'unset'].push(id);
  }
  return ends;
}

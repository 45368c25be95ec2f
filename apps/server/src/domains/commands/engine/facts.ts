import type { Actor } from '../../../kernel/scope.ts';
import type { rollouts, sentCommands } from '@highline/contract';
import type { WindowClosed } from '../../windows/index.ts';
import type { OperationFailure, OperationOutcome } from '../../../platform/ports/index.ts';

/** A command that has not ended, and what is known of its router and device now. */
export interface CommandWork {
  readonly id: string;
  readonly organizationId: string;
  readonly mainAccountId: string;
  readonly deviceId: string;
  readonly routerId: string;
  readonly serial: string;
  readonly kind: sentCommands.SentKind;
  readonly argument: string;
  readonly name: string;
  readonly actor: Actor;
  readonly state: 'waiting' | 'sent' | 'running';
  readonly expiresAt: Date;
  readonly dueAt: Date;
  readonly sentAt: Date | null;
  readonly sends: number;
  /** It waits until another command of its router has ended. */
  readonly isBehind: boolean;
  readonly window: rollouts.UpdateWindow | null;
  /** Why its window is closed now; left out = it is not. */
  readonly closed?: WindowClosed | undefined;
  /** What it waited for when it was last looked at. */
  readonly reason: sentCommands.SentReason | null;
  /** Whether the device is where the command was sent to: undefined; or why not. */
  readonly absence: 'gone' | 'replaced' | null;
  /** Connected, and set up as far as it can be. */
  readonly isOnline: boolean;
  readonly isHeldElsewhere: boolean;
  /** When it started, by its uptime. */
  readonly bootedAt: Date | null;
  /** When it was last seen that it had been reset to factory state, by the cause of its start or its lost subscriptions. */
  readonly resetAt: Date | null;
  /** Whether the file arrived that it is to upload; of other kinds true. */
  readonly hasFile: boolean;
}

/** An event of a router. */
export interface CommandEvent {
  readonly routerId: string;
  /** Left out: it is connected and ready, or looked at again. */
  readonly step?: { readonly id: string; readonly event: CommandStepEvent };
}

export type CommandStepEvent =
  /** The answer to the request, or the end of what it began. */
  | { readonly type: 'answered'; readonly outcome: OperationOutcome }
  | { readonly type: 'completed'; readonly failure: OperationFailure | undefined }
  /** Nothing was sent. */
  | { readonly type: 'undelivered' };

export interface CommandTimeouts {
  /** The router's answer. */
  readonly responseMs: number;
  /** After a request without an answer it is sent again. */
  readonly repeatMs: number;
  /** A window without known hours is looked at again. */
  readonly windowMs: number;
  /** A router that was busy gets it again. */
  readonly busyMs: number;
  /** The end of a command that began, and the return of a router that did not answer. */
  readonly endMs: number;
  /** Requests in all. */
  readonly sends: number;
}

export const usualTimeouts: CommandTimeouts = {
  windowMs: 60_000,
  responseMs: 20_000,
  repeatMs: 30_000,
  busyMs: 30_000,
  endMs: 600_000,
  sends: 3,
};

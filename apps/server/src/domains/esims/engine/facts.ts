import type { rollouts } from '@highline/contract';
import type { WindowClosed } from '../../windows/index.ts';
import type { EsimReport } from '../../../platform/ports/device-link.ts';
import type { StoredStatus } from '../lineup.ts';
import type { UseAuthor } from '../use-author.ts';

export type StepKind = 'download' | 'enable' | 'delete';

/** A profile of a router, as it is stored. */
export interface Row {
  readonly id: string;
  readonly eid: string;
  readonly isPreloaded: boolean;
  /** Hex; null without an activation code. */
  readonly sealedCode: string | null;
  /** Hex; null without a confirmation code. */
  readonly sealedConfirmation: string | null;
  readonly iccid: string;
  readonly apn: string;
  readonly apn2: string;
  readonly name: string;
  readonly carrier: string;
  readonly status: StoredStatus;
  readonly reason: string;
  readonly priority: number;
  /** Its path on the eUICC; null = it is not there, '' = it is, and the router did not report the path. */
  readonly path: string | null;
  readonly step: StepKind | null;
  readonly stepKey: string | null;
  readonly begunAt: Date | null;
  readonly sentAt: Date | null;
  readonly takenAt: Date | null;
  /** Of the step; without one, how often these settings were sent without an answer. */
  readonly sends: number;
  /** When the engine must look at its router next; null = only after an event. */
  readonly dueAt: Date | null;
  readonly settingsSent: string | null;
  /** When the router may switch to it, once that is requested; null = at any time (WIN-02). */
  readonly useWindow: rollouts.UpdateWindow | null;
  /** Who requested that; null = a plan or an alert rule, which has checked its own author. */
  readonly useAuthor: UseAuthor | null;
}

/** A router with everything that decides its next step. */
export interface EsimWork {
  readonly routerId: string;
  readonly organizationId: string;
  readonly mainAccountId: string;
  readonly deviceId: string;
  readonly serial: string;
  /** Connected, and set up: it executes a command and reports its end. */
  readonly isOnline: boolean;
  /** Another node has its connection, and takes its next step. */
  readonly isHeldElsewhere: boolean;
  /** Its last eUICC report; null = it has none, or never reported. */
  readonly reported: EsimReport | null;
  /** Whether its data model has the commands; undefined = it never reported them. */
  readonly supported: boolean | undefined;
  readonly rows: readonly Row[];
  /** Why the window of the requested switch is closed now; left out = it is not. */
  readonly closed?: WindowClosed | undefined;
  /** Whether who requested the switch may do so now; left out = yes. */
  readonly mayUse?: boolean | undefined;
}

/** How long the engine waits. Milliseconds. */
export interface EsimTimeouts {
  /** For the answer to a command. */
  readonly responseMs: number;
  /** For the end of a command that the router accepted. */
  readonly quietMs: number;
  /** Before a command is repeated that the router had no capacity for. */
  readonly busyMs: number;
  /** Before a window without known hours is looked at again. */
  readonly windowMs: number;
  /** How often a step is sent without any sign of progress. */
  readonly sends: number;
  /** When this process began: earlier steps were sent by another one. If left out, it sent everything itself. */
  readonly since?: Date;
}

export const defaultEsimTimeouts: EsimTimeouts = {
  responseMs: 30_000,
  quietMs: 900_000,
  busyMs: 10_000,
  windowMs: 60_000,
  sends: 3,
};

/** How often the same settings are sent without an answer: a router may restart each time it receives them. */
const MOST_SETTINGS_SENDS = 3;

/** Its settings were sent, as far as is known, and the router has not answered; without an answer they are sent again when it is due. */
export function awaitsSettings({ step, sends }: Row): boolean {
  return step === null && sends > 0 && sends < MOST_SETTINGS_SENDS;
}

/** No step is under way. */
export const noEsimStep = {
  step: null,
  stepKey: null,
  begunAt: null,
  sentAt: null,
  takenAt: null,
  sends: 0,
  dueAt: null,
} as const;

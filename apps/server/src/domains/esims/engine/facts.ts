import type { EsimReport } from '../../../ports/device-link.ts';
import type { StoredStatus } from '../profile.wire.ts';

export type Step = 'download' | 'enable' | 'delete';

/** A profile of a router, as it is kept. */
export interface Row {
  readonly id: string;
  readonly eid: string;
  readonly isPreloaded: boolean;
  /** Hex; null where there is no activation code. */
  readonly sealedCode: string | null;
  /** Hex; null where there is no confirmation code. */
  readonly sealedConfirmation: string | null;
  readonly iccid: string;
  readonly apn: string;
  readonly apn2: string;
  readonly name: string;
  readonly carrier: string;
  readonly status: StoredStatus;
  readonly reason: string;
  readonly priority: number;
  /** Where it is on the eUICC; null = it is not there, '' = it is, and the router did not say where. */
  readonly path: string | null;
  readonly step: Step | null;
  readonly stepKey: string | null;
  readonly begunAt: Date | null;
  readonly sentAt: Date | null;
  readonly takenAt: Date | null;
  readonly sends: number;
  /** When its router is to be looked at next; null = when something happens. */
  readonly dueAt: Date | null;
  readonly settingsSent: string | null;
}

/** A router with all that settles what it is asked next. */
export interface Work {
  readonly routerId: string;
  readonly organizationId: string;
  readonly mainAccountId: string;
  readonly deviceId: string;
  readonly serial: string;
  readonly isOnline: boolean;
  /** What it last told of its eUICC; null = it has none, or never told. */
  readonly told: EsimReport | null;
  /** Whether its data model has the commands; undefined = it never told. */
  readonly supported: boolean | undefined;
  readonly rows: readonly Row[];
}

/** How long the engine waits for what. Milliseconds. */
export interface EsimPatience {
  /** For the answer to a command. */
  readonly answerMs: number;
  /** For the end of a command that the router has taken. */
  readonly quietMs: number;
  /** Before a router is asked again that had no room for the command. */
  readonly busyMs: number;
  /** Times that a step is sent without a sign. */
  readonly sends: number;
  /** When this process began: what was sent before, another one sent. Left out, it sent everything itself. */
  readonly since?: Date;
}

export const defaultEsimPatience: EsimPatience = { answerMs: 30_000, quietMs: 900_000, busyMs: 10_000, sends: 3 };

/** Nothing under way any more. */
export const noStep = { step: null, stepKey: null, begunAt: null, sentAt: null, takenAt: null, sends: 0, dueAt: null } as const;

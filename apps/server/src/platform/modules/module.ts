import type { Routes } from '../calls/call.ts';
import type { Job } from '../jobs/runner.ts';
import type { Figure } from '../metrics/index.ts';
import type { Database, Tx } from '../ports/index.ts';
import type { Tables } from '../ports/tables.ts';
import type { OrganizationScope } from '../../kernel/index.ts';
import type { SealedColumn } from './sealed-column.ts';

/** What a module does besides answering its calls. */
export interface OpenModule {
  /** They run from the moment the server listens until it stops. */
  readonly jobs?: readonly Job[];
  /** Requested only where metrics are served. */
  readonly metrics?: () => ModuleMetrics;
  /** Ends background work at a stop, once no job runs any more. */
  readonly stop?: () => Promise<void>;
}

export interface ModuleMetrics {
  readonly figures: readonly Figure[];
  /** What counts the figures that only the database knows. */
  readonly jobs?: readonly Job[];
}

/** What of a domain ends with an organization (ORG-02). */
export interface OrganizationEnd {
  /** In the transaction in which the organization is deleted: ends what lets someone in, is sent, or acts. */
  readonly close?: (tx: Tx, scope: OrganizationScope, now: Date) => Promise<void>;
  /** After the grace period, before all `purge`: rows that are too many for one transaction. Goes on after an interruption. */
  readonly purgeInSteps?: (database: Database, scope: OrganizationScope) => Promise<unknown>;
  /** The same for all rows of these tables, one after another. */
  readonly tables?: readonly (keyof Tables)[];
  /** After the grace period, in one transaction of all domains. */
  readonly purge?: (tx: Tx, scope: OrganizationScope) => Promise<void>;
  /** The same for all rows of these tables, one after another. */
  readonly lastTables?: readonly (keyof Tables)[];
}

/** Everything that a domain adds to the server; compose/ loops over the list of domains/modules.ts. */
export interface Module<Deps> {
  /** Registers calls and prepares background work; before the server listens. */
  readonly open: (routes: Routes, deps: Deps) => OpenModule | void;
  /** Values that a replacement of the master key seals again. */
  readonly sealed?: readonly SealedColumn[];
  readonly organizationEnd?: OrganizationEnd;
}

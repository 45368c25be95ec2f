import { DomainError } from '../../kernel/failure.ts';
import type { OfferedOperation, OperationFailure, OperationOutcome, RouterOperation } from './router-operations.ts';

/** Update commands that a router model supports. */
export interface OtaSupport {
  /** FirmwareImage.{i}.Download(). */
  readonly firmware: boolean;
  /** BootFirmwareImage can be set. */
  readonly bootable: boolean;
  /** VendorConfigFile.{i}.Restore(). */
  readonly config: boolean;
  /** It installs only firmware with a trusted signature. */
  readonly signature: boolean;
}

/** A profile on a router's eUICC, as reported; what the agent lacks is null. */
export interface ReportedProfile {
  /** Full path with its final dot. */
  readonly path: string;
  readonly iccid: string | null;
  readonly active: boolean;
  /** Installed at delivery. */
  readonly preloaded: boolean;
  readonly name: string | null;
  readonly carrier: string | null;
  readonly apn: string | null;
  readonly apn2: string | null;
  readonly priority: number | null;
}

/** A router's eUICC, as reported. */
export interface EsimReport {
  /** Path of the SIM, with its final dot. */
  readonly path: string;
  readonly eid: string | null;
  /** Number of profiles, which shows when a report is incomplete. */
  readonly count: number;
  readonly profiles: readonly ReportedProfile[];
}

/** Receives what routers send unrequested. */
export interface RouterListener {
  /** A router is connected, its set-up was tried and its reported state is committed: after every connect, boot and refresh. */
  ready(routerId: string): void;
  /**
   * An operation ended, of this listener or of another. The router is acknowledged when this resolves, and repeats its notification
   * when it rejects. @param key with which it was sent
   * @param outputs returned values; empty when it failed
   */
  completed(
    routerId: string,
    key: string,
    failure: OperationFailure | undefined,
    outputs: ReadonlyMap<string, string>,
  ): Promise<void>;
  /**
   * A router restarted because of the operation with this key. Acknowledged and repeated as `completed`; many routers name no key, and
   * then nothing is called.
   */
  restarted?(routerId: string, key: string): Promise<void>;
  /** A router started after a factory reset: what it confirmed before is gone. Acknowledged and repeated as `completed`; `ready` follows. */
  reset?(routerId: string): Promise<void>;
  /** A value changed that was chosen with `watch-values`. @param change undefined = the router does not say what */
  changed?(routerId: string, change: { readonly path: string; readonly value: string } | undefined): void;
  /** Status or percentage of a download changed. @param path of the parameter */
  progressed(routerId: string, path: string, value: string): void;
}

/** What can be read again: firmware and config file, SIMs, or a table of instances. */
export type RouterPart = 'updates' | 'sims' | 'uplinks' | 'wifi' | 'clients';

export interface OperateOptions {
  readonly key?: string;
  readonly timeoutMs?: number;
}

/** Whether a request of the device link failed because the router is not connected or did not answer. */
export function isUnreachable(error: unknown): error is DomainError {
  return isNotConnected(error) || (error instanceof DomainError && error.key === 'router.no_answer');
}

/** How calls say that a router is not connected or did not respond; any other error stays as it is. */
export function unreachableAs(call: 'command' | 'remote', error: unknown): unknown {
  return isUnreachable(error) ? new DomainError(`${call}.${isNotConnected(error) ? 'offline' : 'no_answer'}`) : error;
}

/** Whether a request failed because the router is not connected to this process: nothing was sent. */
export function isNotConnected(error: unknown): error is DomainError {
  return error instanceof DomainError && error.key === 'router.not_connected';
}

/**
 * How domains reach routers without knowing sockets. A request to a router throws DomainError `router.not_connected`, when
 * nothing was sent, or `router.no_answer`, when the router may have executed it.
 */
export interface DeviceLink {
  /** Whether the router is connected to this process. */
  isConnected(routerId: string): boolean;
  /**
   * Whether the router is connected to this process and its set-up was not tried yet. The end of a command that is sent now may never
   * be reported: a new agent, or one that was reset, has no subscription for it. `ready` follows.
   */
  awaitsSetUp(routerId: string): boolean;
  /** Close the router's connection at this process, if any; it may reconnect unless its secret is no longer valid. */
  disconnect(routerIds: readonly string[], reason: string): void;
  /** Read parameters (TR-181 names). Returns a map of full paths to values. */
  readValues(routerId: string, paths: readonly string[], timeoutMs?: number): Promise<ReadonlyMap<string, string>>;
  /** Whether a router's data model has an operation. */
  offers(routerId: string, operation: OfferedOperation, timeoutMs?: number): Promise<boolean>;
  /** Run an operation on a router. @param options.key reported with its end; sent again, it names the same run */
  operate(routerId: string, operation: RouterOperation, options?: OperateOptions): Promise<OperationOutcome>;
  /** Read a part of a router's state. Resolves when the result is committed. @param what default: firmware and config file */
  refresh(routerId: string, what?: RouterPart): Promise<void>;
  /** Every listener receives everything. */
  listen(listener: RouterListener): void;
}

import { DomainError } from '../failure.ts';

/** Commands for updates that a kind of router has. */
export interface OtaSupport {
  /** FirmwareImage.{i}.Download(). */
  readonly firmware: boolean;
  /** BootFirmwareImage can be set. */
  readonly bootable: boolean;
  /** VendorConfigFile.{i}.Restore(). */
  readonly config: boolean;
  /** It flashes nothing without a signature it trusts. */
  readonly signature: boolean;
}

/** A profile on a router's eUICC, as it tells it; what the agent lacks is null. */
export interface ToldProfile {
  /** Full path with its final dot. */
  readonly path: string;
  readonly iccid: string | null;
  readonly active: boolean;
  /** It came with the router. */
  readonly preloaded: boolean;
  readonly name: string | null;
  readonly carrier: string | null;
  readonly apn: string | null;
  readonly apn2: string | null;
  readonly priority: number | null;
}

/** A router's eUICC, as it tells it. */
export interface EsimReport {
  /** Path of the SIM, with its final dot. */
  readonly path: string;
  readonly eid: string | null;
  /** Of the profiles: so that a report with fewer of them is not taken for a part of the one before. */
  readonly count: number;
  readonly profiles: readonly ToldProfile[];
}

/** A command for a router (TR-369 Operate). */
export interface RouterCommand {
  /** Full path with its parentheses. */
  readonly command: string;
  /** Comes back when the command has ended; sent again, it names the same run. */
  readonly commandKey: string;
  readonly inputArgs: ReadonlyMap<string, string>;
}

/** How a command ended, or that it was refused: USP error code and the router's own words. */
export interface CommandFailure {
  readonly code: number;
  readonly message: string;
}

/** USP errors with which an agent says that it has no such command, parameter or object (TR-369 "Error Codes"). */
const UNSUPPORTED: ReadonlySet<number> = new Set([7010, 7016, 7026]);

/** Whether a router refused because it does not have what it was asked for. */
export function isUnsupported({ code }: Pick<CommandFailure, 'code'>): boolean {
  return UNSUPPORTED.has(code);
}

/** `running`: its end will be told. */
export type CommandAnswer =
  | { readonly type: 'running' }
  | { readonly type: 'done' }
  | ({ readonly type: 'failed' } & CommandFailure);

/** Hears what routers tell of their own accord. */
export interface RouterListener {
  /** A router is connected and what it reported is committed: after every connect, boot and refresh. */
  ready(routerId: string): void;
  /**
   * A command ended, one of this listener or of another. The router is answered when this resolves, and repeats itself when it rejects.
   * @param outputs what it gave back; empty when it failed
   */
  completed(
    routerId: string,
    commandKey: string,
    failure: CommandFailure | undefined,
    outputs: ReadonlyMap<string, string>,
  ): Promise<void>;
  /** Status or percentage of a download changed. @param path of the parameter */
  progressed(routerId: string, path: string, value: string): void;
}

/** Whether a request of the device link failed because the router is not connected or did not answer. */
export function isUnreachable(error: unknown): error is DomainError {
  return error instanceof DomainError && (error.key === 'router.not_connected' || error.key === 'router.no_answer');
}

/**
 * How domains reach routers without knowing sockets. A request to a router throws DomainError `router.not_connected`, where nothing was
 * sent, or `router.no_answer`, where the router may have acted on it.
 */
export interface DeviceLink {
  /** Whether the router's connection is at this process. */
  isConnected(routerId: string): boolean;
  /** Close the router's connection, if it has one here; it may come back unless its secret no longer opens the door. */
  disconnect(routerIds: readonly string[], reason: string): void;
  /** Ask a connected router for parameters (TR-369 Get). Answers a map of full paths to values. */
  get(routerId: string, paths: readonly string[], timeoutMs?: number): Promise<ReadonlyMap<string, string>>;
  /** Names of the commands that an object of a router's data model has (TR-369 GetSupportedDM). @param objPath such as `Device.` */
  commandsOf(routerId: string, objPath: string, timeoutMs?: number): Promise<ReadonlySet<string>>;
  /** Have a router run a command. */
  operate(routerId: string, command: RouterCommand, timeoutMs?: number): Promise<CommandAnswer>;
  /** Have a router report its readings now. Where it has no command for that, they are read from it and stored before this resolves. */
  sendReadings(routerId: string): Promise<CommandAnswer>;
  /** Set parameters of one object, all or none. @returns why it was refused */
  set(
    routerId: string,
    objPath: string,
    values: ReadonlyMap<string, string>,
    timeoutMs?: number,
  ): Promise<CommandFailure | undefined>;
  /** Ask a router which firmware and config file it has now, or how its SIMs are. Resolves when its answer is committed. */
  refresh(routerId: string, what?: 'updates' | 'sims'): Promise<void>;
  /** Every listener hears everything. */
  listen(listener: RouterListener): void;
}

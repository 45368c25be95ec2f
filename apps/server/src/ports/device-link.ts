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

/** `running`: its end will be told. */
export type CommandAnswer =
  | { readonly type: 'running' }
  | { readonly type: 'done' }
  | ({ readonly type: 'failed' } & CommandFailure);

/** Hears what routers tell of their own accord. */
export interface RouterListener {
  /** A router is connected and what it reported is committed: after every connect, boot and refresh. */
  ready(routerId: string): void;
  /** A command ended. The router is answered when this resolves, and repeats itself when it rejects. */
  completed(routerId: string, commandKey: string, failure: CommandFailure | undefined): Promise<void>;
  /** Status or percentage of a download changed. @param path of the parameter */
  progressed(routerId: string, path: string, value: string): void;
}

/**
 * How rooms reach routers without knowing sockets. What asks a router throws DomainError `server.busy` when it gives no answer; its
 * `reason` is 'not-connected' or 'no-answer'.
 */
export interface DeviceLink {
  /** Close the router's connection, if it has one here; it may come back unless its secret no longer opens the door. */
  disconnect(routerIds: readonly string[], reason: string): void;
  /** Ask a connected router for parameters (TR-369 Get). Answers a map of full paths to values. */
  get(routerId: string, paths: readonly string[], timeoutMs?: number): Promise<ReadonlyMap<string, string>>;
  /** Names of the commands that an object of a router's data model has (TR-369 GetSupportedDM). @param objPath such as `Device.` */
  commandsOf(routerId: string, objPath: string, timeoutMs?: number): Promise<ReadonlySet<string>>;
  /** Have a router run a command. */
  operate(routerId: string, command: RouterCommand, timeoutMs?: number): Promise<CommandAnswer>;
  /** Set parameters of one object, all or none. @returns why it was refused */
  set(
    routerId: string,
    objPath: string,
    values: ReadonlyMap<string, string>,
    timeoutMs?: number,
  ): Promise<CommandFailure | undefined>;
  /** Ask a router which firmware and config file it has now. Resolves when its answer is committed. */
  refresh(routerId: string): Promise<void>;
  /** One listener; the last one given counts. */
  listen(listener: RouterListener): void;
}

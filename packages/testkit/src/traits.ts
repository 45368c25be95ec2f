/** Variations of a strict agent. Plain data, so that a process can receive it as JSON. */
export interface Traits {
  /** ws://host:port or wss://, without /usp. */
  readonly server: string;
  readonly secret: string;
  /** Its endpoint id in any scheme of TR-369. */
  readonly endpointId: string;
  readonly controllerId: string;
  /** Folder for state that survives a power cut: the data model and the files. */
  readonly stateDir: string;
  readonly serial: string;
  readonly model: string;
  /** Version of the first image; '' = the agent never reports a version. */
  readonly firmware: string;
  /** Version of the initial config file. */
  readonly configVersion: string;
  /** Version of every restored config file; some agents use the date. */
  readonly restoredVersion: string;
  /** Versions in its answer to GetSupportedProtocol; the first is used in its records. */
  readonly protocolVersions: string;
  readonly hasBulkData: boolean;
  readonly hasFirmwareImages: boolean;
  readonly hasConfigFiles: boolean;
  /** Its config file has Backup(). */
  readonly hasConfigBackup: boolean;
  readonly hasPasswordReset: boolean;
  /** It has Device.Users. with the users `admin` and `operator`. */
  readonly hasUsers: boolean;
  /** It has IPPing() and DownloadDiagnostics(), and no other test. */
  readonly hasDiagnostics: boolean;
  /** It has a receiver of satellites. */
  readonly hasLocation: boolean;
  /** It reports interfaces, Wi-Fi and hosts. */
  readonly hasNetworks: boolean;
  /** Sends TransferComplete! in addition to OperationComplete. */
  readonly hasTransferEvents: boolean;
  /** Maximum accepted NumberOfRetainedFailedReports; the minimum is 0, so that -1 (all) is rejected too. */
  readonly mostRetainedReports: number;
  /** MinReportingInterval of its bulk data, in seconds. */
  readonly leastReportingSeconds: number;
  /** How it rejects an unknown command: in the result of the command, or by an Error with parameter errors. */
  readonly rejectsCommandsBy: 'result' | 'error';
  /** It rejects each transfer in its answer to the command, as while its storage is locked. */
  readonly rejectsTransfers: boolean;
  /** Types of notification it takes no subscription to. */
  readonly rejectedNotifications: readonly string[];
  /** Objects that it takes in one Set; it rejects more. */
  readonly mostSetObjects: number;
  /** Parameters of which it answers that they were set, and keeps the former value. */
  readonly ignoredParameters: readonly string[];
  /** Its SSIDs have other numbers after each restart. */
  readonly renumbersNetworks: boolean;
  /** The row of another controller comes first, so that ours is number 2. */
  readonly hasOtherController: boolean;
  /** The first transfer stalls after this many bytes, as when coverage ends; undefined = none does. */
  readonly stallAfterBytes?: number;
  /** Milliseconds from power on to the first connection attempt. */
  readonly bootMs: number;
  /** Milliseconds in place of SessionRetryMinimumWaitInterval. */
  readonly reconnectMs?: number;
  /** Milliseconds in place of USPNotifRetryMinimumWaitInterval. */
  readonly notifyRetryMs?: number;
}

/** Traits of which only the connection and the state folder are required. */
export type TraitChoice = Pick<Traits, 'server' | 'secret' | 'endpointId' | 'stateDir'> & Partial<Traits>;

/** The default strict agent with the chosen traits. */
export function traitsOf(choice: TraitChoice): Traits {
  return {
    controllerId: 'self::highline',
    serial: 'STRICT-1',
    model: 'SX-40',
    firmware: '1.0.0',
    configVersion: '20260101',
    restoredVersion: '20261122',
    protocolVersions: '1.3,1.2',
    hasBulkData: true,
    hasFirmwareImages: true,
    hasConfigFiles: true,
    hasConfigBackup: true,
    hasPasswordReset: false,
    hasUsers: false,
    hasDiagnostics: false,
    hasLocation: true,
    hasNetworks: true,
    hasTransferEvents: true,
    mostRetainedReports: 10,
    leastReportingSeconds: 1,
    rejectsCommandsBy: 'result',
    rejectsTransfers: false,
    rejectedNotifications: [],
    mostSetObjects: 100,
    ignoredParameters: [],
    renumbersNetworks: false,
    hasOtherController: true,
    bootMs: 10,
    ...choice,
  };
}

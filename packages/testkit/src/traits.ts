/** How one strict agent differs from another. Everything is plain data, so that a process can take it as JSON. */
export interface Traits {
  /** ws://host:port or wss://, without /usp. */
  readonly server: string;
  readonly secret: string;
  /** As it introduces itself; any scheme of TR-369. */
  readonly endpointId: string;
  readonly controllerId: string;
  /** Folder for what survives a power cut: the data model and the files. */
  readonly stateDir: string;
  readonly serial: string;
  readonly model: string;
  /** Of the first image; '' = the agent never reports a version. */
  readonly firmware: string;
  /** Version of the config file that it leaves the factory with. */
  readonly configVersion: string;
  /** Version that it gives to every config file it restores, as some agents write the day into it. */
  readonly restoredVersion: string;
  /** Versions of USP that it answers to GetSupportedProtocol; the first is the one in its records. */
  readonly protocolVersions: string;
  readonly hasBulkData: boolean;
  readonly hasFirmwareImages: boolean;
  readonly hasConfigFiles: boolean;
  readonly hasPasswordReset: boolean;
  /** Sends TransferComplete! as well as OperationComplete. */
  readonly hasTransferEvents: boolean;
  /** Largest NumberOfRetainedFailedReports that it takes; the least is 0, so that -1 for all of them is refused too. */
  readonly mostRetainedReports: number;
  /** MinReportingInterval of its bulk data, in seconds. */
  readonly leastReportingSeconds: number;
  /** How it refuses a command it does not have: in the result of the command, or by an Error with parameter errors. */
  readonly rejectsCommandsBy: 'result' | 'error';
  /** Another controller's row comes first, so that ours is number 2. */
  readonly hasOtherController: boolean;
  /** The first transfer stands still after so many bytes, as where coverage ends; undefined = none does. */
  readonly stallAfterBytes?: number;
  /** Milliseconds from power on to the first try to connect. */
  readonly bootMs: number;
  /** Milliseconds in place of SessionRetryMinimumWaitInterval. */
  readonly reconnectMs?: number;
  /** Milliseconds in place of USPNotifRetryMinimumWaitInterval. */
  readonly notifyRetryMs?: number;
}

/** Traits with everything optional but where the agent connects and where it keeps its state. */
export type TraitChoice = Pick<Traits, 'server' | 'secret' | 'endpointId' | 'stateDir'> & Partial<Traits>;

/** The usual strict agent, with what was chosen in place of its own. */
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
    hasPasswordReset: false,
    hasTransferEvents: true,
    mostRetainedReports: 10,
    leastReportingSeconds: 1,
    rejectsCommandsBy: 'result',
    hasOtherController: true,
    bootMs: 10,
    ...choice,
  };
}

import type { OperationOutcome, OperationResult, ParamValueType, StringMap, UspErrorCode } from '@highline/usp';
import type { TrafficSource } from '../diagnostics/pcap.ts';
import type { Alarms } from '../platform/alarms.ts';
import type { Platform } from '../platform/platform.ts';
import type { TrailCursor } from '../platform/trail-cursor.ts';
import type { Entry } from '../remote/activity-log.ts';
import type { RemoteControl, Service, ServiceStatus } from '../remote/remote-control.ts';
import type { EsimState, Installed, RouterState, Row, EsimJobRequest, JobRequest } from '../state/state.ts';

/**
 * The data model as definitions, shared by all routers of a process. A definition holds no value; it describes how to read one
 * from a router, given the instance numbers along the path.
 */
export type ObjectDef = {
  /** Template path, e.g. 'Device.Cellular.Interface.{i}.' */
  path: string;
  params: { readonly [name: string]: ParamDef };
  commands?: { readonly [name: string]: CommandDef };
  /** Event name with its '!' → names of its arguments. */
  events?: { readonly [name: string]: readonly string[] };
  /** Present when the path ends in {i}. */
  table?: TableDef;
};

export type TableDef = {
  /** Fixed instances, by the parent's instance numbers, before those that a controller added. */
  instances?: (router: RouterView, parent: Ids) => readonly number[];
  /** Whether a controller may add and delete instances, at most `max`. */
  grows?: { max: number };
  /** Each set of parameters identifies an instance (TR-181 "unique key"). */
  uniqueKeys: readonly (readonly string[])[];
};

/** Instance numbers along a path, outermost first. */
export type Ids = readonly number[];

export type ParamDef = ReadParam | StoredParam;

/** Read-only: computed on request. */
export type ReadParam = {
  type: ParamValueType;
  /** Changes at every reading: ValueChange subscriptions ignore it (TR-369 "value_change WILL_IGNORE"). */
  fluctuating?: true;
  read: (router: RouterView, ids: Ids) => string;
};

/** Stored in the router's rows. */
export type StoredParam = {
  type: ParamValueType;
  initial: string | ((router: RouterView, ids: Ids) => string);
  /** Set by the agent itself only. */
  readOnly?: true;
  /** The value of a newly added instance. */
  atCreation?: (router: RouterView) => string;
  /** TR-181's hidden: it reads as an empty text. */
  hidden?: true;
  /** What is stored when it is set; left out = the value itself. */
  stores?: (value: string, router: RouterView) => Row;
  /** What is wrong with a value, or undefined; its type was checked before. */
  check?: (value: string, router: RouterView, ids: Ids) => string | undefined;
};

/** Access to a router for definitions and request handlers. */
export type RouterView = {
  readonly identity: RouterIdentity;
  readonly platform: Platform;
  readonly alarms: Alarms;
  readonly endpointId: string;
  readonly controllerId: string;
  /** Whole seconds since this start. */
  uptimeSeconds(): number;
  installed(): Installed;
  firstUse(): number | undefined;
  /** Firmware slots and the current update. */
  updates(): Pick<RouterState, 'flash' | 'job'>;
  /** The current job on the SIM's profiles. */
  esims(): Pick<EsimState, 'job'>;
  /** Percent of the current download. */
  updatePercent(): number;
  /** Whether images must have a signature of a trusted key. */
  readonly checksSignatures: boolean;
  /** A service used by remote sessions. */
  remote(service: Service): ServiceStatus;
  readonly trail: TrailCursor;
  /** Whether the router listens on a port that is forwarded. */
  forwards(port: number, protocol: 'TCP' | 'UDP'): boolean;
  /** The row of an instance path, when a controller has set something there. */
  row(path: string): Row | undefined;
  /** All instance paths that have a row. */
  rowPaths(): readonly string[];
};

/** As printed on the case. `mac` is 12 capital hex digits; its first 6 are the OUI. */
export type RouterIdentity = {
  serial: string;
  mac: string;
  model: string;
  hardwareVersion: string;
  /** Initial name given by the owner, e.g. the vehicle. */
  friendlyName: string;
};

type CommandShape = { kind: 'CMD_SYNC' | 'CMD_ASYNC'; inputs: readonly string[]; outputs: readonly string[] };

/** A command executed within the current start of the router. */
export type RunCommand = CommandShape & {
  /** Arguments have been checked against `inputs`. Only CMD_ASYNC commands return a promise. */
  run(call: CommandCall): OperationOutcome | Promise<OperationOutcome>;
  begin?: undefined;
};

/** A command whose executor stores it and reports its end: it outlives a power cut. */
export type StoredCommand = CommandShape & { begin(call: CommandCall): OperationResult };

export type CommandDef = RunCommand | StoredCommand;

export type CommandCall = {
  router: RouterView;
  control: RouterControl;
  /** Path of the object with the command. */
  path: string;
  ids: Ids;
  args: StringMap;
  commandKey: string;
};

/** Effects of commands on the router. Those that end the connection happen after the response has been sent. */
export type RouterControl = {
  /** Restart; the next Boot! carries the command key. */
  reboot(commandKey: string): void;
  /** Register at the network again: the connection ends and is made again. */
  restartModem(): void;
  /** Delete all settings, then restart. */
  factoryReset(commandKey: string): void;
  /** Download and install, across power cuts. The same command key is the same job. */
  update(job: JobRequest): OperationResult;
  /** Download, enable or delete a SIM profile, across power cuts. The same command key is the same job. */
  esim(job: EsimJobRequest): OperationResult;
  /** Remote access to the router. */
  readonly remote: RemoteControl;
  /** Reset the administrator's password to its default. @throws Error when that cannot be written */
  resetPassword(): void;
  readonly diagnostics: Diagnostics;
  /** Send the report of a bulk data profile now. */
  collect(profilePath: string): void;
};

/** What the router's own tests need of it. */
export type Diagnostics = TrafficSource & {
  /** Aborted when the router loses its power. */
  readonly signal: AbortSignal;
  /** Events since its start, oldest first. */
  logEntries(): readonly Entry[];
};

/** A request, or one path of it, that cannot be executed. Its message is for the controller's operator. */
export class UspFault extends Error {
  readonly code: UspErrorCode;

  constructor(code: UspErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** Success of a command without output. */
export const DONE: OperationOutcome = { type: 'req_output_args', outputArgs: new Map() };

/** A command that is answered at once, without output. @param run returns nothing when it succeeded */
export function syncCommand(inputs: readonly string[], run: (call: CommandCall) => OperationOutcome | void): RunCommand {
  const outcomeOf = (call: CommandCall): OperationOutcome => {
    const outcome = run(call);
    // An arrow function without a result may return what it called.
    return typeof outcome === 'object' ? outcome : DONE;
  };
  return { kind: 'CMD_SYNC', inputs, outputs: [], run: outcomeOf };
}

/** The current value of a parameter, in TR-106 format. */
export function readParam(param: ParamDef, name: string, router: RouterView, path: string, ids: Ids): string {
  if ('read' in param) return param.read(router, ids);
  if (param.hidden === true) return '';
  const stored = router.row(path)?.[name];
  if (stored !== undefined) return stored;
  return typeof param.initial === 'string' ? param.initial : param.initial(router, ids);
}

/** Whether a controller may set it. */
export function isWritable(param: ParamDef): boolean {
  return 'initial' in param && param.readOnly !== true;
}

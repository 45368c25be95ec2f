import type { OperationOutcome, OperationResult, ParamValueType, StringMap, UspErrorCode } from '@highline/usp';
import type { Alarms } from '../platform/alarms.ts';
import type { Platform } from '../platform/platform.ts';
import type { RemoteControl, Service, ServiceStatus } from '../remote/remote-control.ts';
import type { EsimState, Installed, RouterState, Row, EsimJobRequest, JobRequest } from '../state/state.ts';

/**
 * The data model as definitions: made once and shared by all routers of a process. A definition holds no value; it says how to read
 * one from a router, given the instance numbers along the path.
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
  /** Fixed instances, by the parent's instance numbers; absent: the rows that a controller added. */
  instances?: (router: RouterView, parent: Ids) => readonly number[];
  /** May a controller add and delete instances? Then never more than `max` of them. */
  grows?: { max: number };
  /** Each set of parameters names an instance (TR-181 "unique key"). */
  uniqueKeys: readonly (readonly string[])[];
};

/** Instance numbers along a path, outermost first. */
export type Ids = readonly number[];

export type ParamDef = ReadParam | StoredParam;

/** Read-only: computed when asked for. */
export type ReadParam = {
  type: ParamValueType;
  /** Moves at every reading: a ValueChange subscription ignores it (TR-369 "value_change WILL_IGNORE"). */
  restless?: true;
  read: (router: RouterView, ids: Ids) => string;
};

/** Kept in the router's rows. */
export type StoredParam = {
  type: ParamValueType;
  initial: string | ((router: RouterView, ids: Ids) => string);
  /** Set by the agent itself only. */
  readOnly?: true;
  /** The value that an instance gets when it is added. */
  atCreation?: (router: RouterView) => string;
  /** What is wrong with a value, or undefined; the type has been checked before. */
  check?: (value: string, router: RouterView) => string | undefined;
};

/** What definitions and request handlers may know of a router. */
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
  /** Firmware slots and the update under way. */
  updates(): Pick<RouterState, 'flash' | 'job'>;
  /** What is being done to the SIM's profiles. */
  esims(): Pick<EsimState, 'job'>;
  /** Percent of the download under way. */
  updatePercent(): number;
  /** Whether images must carry a signature of a trusted key. */
  readonly checksSignatures: boolean;
  /** A service that remote sessions lead to. */
  remote(service: Service): ServiceStatus;
  /** The row of an instance path, when a controller has set something there. */
  row(path: string): Row | undefined;
  /** All instance paths that have a row. */
  rowPaths(): readonly string[];
};

/** What is printed on the case. `mac` is 12 capital hex digits; its first 6 are the OUI. */
export type RouterIdentity = {
  serial: string;
  mac: string;
  model: string;
  hardwareVersion: string;
  /** What the owner calls it at first, e.g. the vehicle. */
  friendlyName: string;
};

type CommandShape = { kind: 'CMD_SYNC' | 'CMD_ASYNC'; inputs: readonly string[]; outputs: readonly string[] };

/** A command that this start of the router carries out. */
export type RunCommand = CommandShape & {
  /** Arguments have been checked against `inputs`. A promise only from CMD_ASYNC commands. */
  run(call: CommandCall): OperationOutcome | Promise<OperationOutcome>;
  begin?: undefined;
};

/** A command handed to somebody who stores it and tells its end: it outlives a power cut. */
export type StoredCommand = CommandShape & { begin(call: CommandCall): OperationResult };

export type CommandDef = RunCommand | StoredCommand;

export type CommandCall = {
  router: RouterView;
  control: RouterControl;
  /** Of the object that has the command. */
  path: string;
  ids: Ids;
  args: StringMap;
  commandKey: string;
};

/** What commands may do to the router. Effects that end the connection happen after the answer has been sent. */
export type RouterControl = {
  /** Starts anew; the next Boot! carries the command key. */
  reboot(commandKey: string): void;
  /** Forgets all settings, then starts anew. */
  factoryReset(commandKey: string): void;
  /** Downloads and installs, over power cuts. The same command key is the same job. */
  update(job: JobRequest): OperationResult;
  /** Brings a SIM profile, uses it or deletes it, over power cuts. The same command key is the same job. */
  esim(job: EsimJobRequest): OperationResult;
  /** The ways into the router. */
  readonly remote: RemoteControl;
  /** Sets the administrator's password back to its default. @throws Error when that cannot be written */
  resetPassword(): void;
  /** Sends the report of a bulk data profile now. */
  collect(profilePath: string): void;
};

/** A request, or one path of it, that cannot be carried out. Its message is for the controller's operator. */
export class UspFault extends Error {
  readonly code: UspErrorCode;

  constructor(code: UspErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** A command's good end without output. */
export const DONE: OperationOutcome = { type: 'req_output_args', outputArgs: new Map() };

/** The value of a parameter now, always as TR-106 writes it. */
export function readParam(param: ParamDef, name: string, router: RouterView, path: string, ids: Ids): string {
  if ('read' in param) return param.read(router, ids);
  const stored = router.row(path)?.[name];
  if (stored !== undefined) return stored;
  return typeof param.initial === 'string' ? param.initial : param.initial(router, ids);
}

/** May a controller set it? */
export function isWritable(param: ParamDef): boolean {
  return 'initial' in param && param.readOnly !== true;
}

/**
 * USP messages (TR-369 "Messages") as callers see them: plain values, every scalar, list and map present.
 *
 * Field names are the standard's in camel case. Paths keep the standard's forms: object paths end in a dot, commands in `()`,
 * events in `!`. Error codes are numbers of the 7000 range, 0 when there is none.
 */
export type UspMessage = { msgId: string; body: UspBody };

/** The type is taken from the body, never from the header's msg_type: ERROR is 0 and therefore absent when encoded. */
export type UspBody = UspRequest | UspResponse | UspErrorBody;

/** Map keys are untrusted; a Map has no prototype that a key could reach. */
export type StringMap = ReadonlyMap<string, string>;

export type UspRequest =
  | ({ type: 'get' } & GetRequest)
  | ({ type: 'get_supported_dm' } & GetSupportedDmRequest)
  | ({ type: 'get_instances' } & GetInstancesRequest)
  | ({ type: 'set' } & SetRequest)
  | ({ type: 'add' } & AddRequest)
  | ({ type: 'delete' } & DeleteRequest)
  | ({ type: 'operate' } & OperateRequest)
  | ({ type: 'notify' } & NotifyRequest)
  | { type: 'get_supported_protocol'; controllerSupportedProtocolVersions: string }
  | { type: 'register'; allowPartial: boolean; regPaths: { path: string }[] }
  | { type: 'deregister'; paths: string[] }
  /** A request of a newer version, or one without contents. Only decoded. */
  | { type: 'unknown' };

export type UspResponse =
  | { type: 'get_resp'; reqPathResults: RequestedPathResult[] }
  | { type: 'get_supported_dm_resp'; reqObjResults: SupportedDmResult[] }
  | { type: 'get_instances_resp'; reqPathResults: InstancesResult[] }
  | { type: 'set_resp'; updatedObjResults: { requestedPath: string; operStatus: SetStatus }[] }
  | { type: 'add_resp'; createdObjResults: { requestedPath: string; operStatus: AddStatus }[] }
  | { type: 'delete_resp'; deletedObjResults: { requestedPath: string; operStatus: DeleteStatus }[] }
  | { type: 'operate_resp'; operationResults: { executedCommand: string; result: OperationResult }[] }
  | { type: 'notify_resp'; subscriptionId: string }
  | { type: 'get_supported_protocol_resp'; agentSupportedProtocolVersions: string }
  | { type: 'register_resp'; registeredPathResults: { requestedPath: string; operStatus: RegisterStatus }[] }
  | { type: 'deregister_resp'; deregisteredPathResults: { requestedPath: string; operStatus: DeregisterStatus }[] };

/** Answer to a request that failed as a whole. */
export type UspErrorBody = {
  type: 'error';
  errCode: number;
  errMsg: string;
  paramErrs: { paramPath: string; errCode: number; errMsg: string }[];
};

/** The answer to a request: `ResponseTo<'get'>` is the body of type 'get_resp'. */
export type ResponseTo<T extends UspRequest['type']> = Extract<UspResponse, { type: `${T}_resp` }>;

export type Failure = { errCode: number; errMsg: string };
export type ParamError = { param: string; errCode: number; errMsg: string };

/** `maxDepth` counts levels below a partial path; 0 = no limit. */
export type GetRequest = { paramPaths: string[]; maxDepth: number };
export type RequestedPathResult = {
  requestedPath: string;
  errCode: number;
  errMsg: string;
  resolvedPathResults: { resolvedPath: string; resultParams: StringMap }[];
};

export type GetSupportedDmRequest = {
  objPaths: string[];
  firstLevelOnly: boolean;
  returnCommands: boolean;
  returnEvents: boolean;
  returnParams: boolean;
  returnUniqueKeySets: boolean;
};
export type SupportedDmResult = {
  reqObjPath: string;
  errCode: number;
  errMsg: string;
  dataModelInstUri: string;
  supportedObjs: SupportedObject[];
};
export type SupportedObject = {
  /** Template path, e.g. 'Device.Cellular.Interface.{i}.' */
  supportedObjPath: string;
  access: 'OBJ_READ_ONLY' | 'OBJ_ADD_DELETE' | 'OBJ_ADD_ONLY' | 'OBJ_DELETE_ONLY';
  isMultiInstance: boolean;
  supportedCommands: SupportedCommand[];
  supportedEvents: { eventName: string; argNames: string[] }[];
  supportedParams: SupportedParam[];
  divergentPaths: string[];
  uniqueKeySets: { keyNames: string[] }[];
};
export type SupportedCommand = {
  /** With its parentheses, e.g. 'Reboot()'. */
  commandName: string;
  inputArgNames: string[];
  outputArgNames: string[];
  commandType: 'CMD_UNKNOWN' | 'CMD_SYNC' | 'CMD_ASYNC';
};
export type ParamAccess = 'PARAM_READ_ONLY' | 'PARAM_READ_WRITE' | 'PARAM_WRITE_ONLY';
export type ParamValueType =
  | 'PARAM_UNKNOWN'
  | 'PARAM_BASE_64'
  | 'PARAM_BOOLEAN'
  | 'PARAM_DATE_TIME'
  | 'PARAM_DECIMAL'
  | 'PARAM_HEX_BINARY'
  | 'PARAM_INT'
  | 'PARAM_LONG'
  | 'PARAM_STRING'
  | 'PARAM_UNSIGNED_INT'
  | 'PARAM_UNSIGNED_LONG';
export type SupportedParam = {
  paramName: string;
  access: ParamAccess;
  valueType: ParamValueType;
  valueChange: 'VALUE_CHANGE_UNKNOWN' | 'VALUE_CHANGE_ALLOWED' | 'VALUE_CHANGE_WILL_IGNORE';
};

export type GetInstancesRequest = { objPaths: string[]; firstLevelOnly: boolean };
export type InstancesResult = {
  requestedPath: string;
  errCode: number;
  errMsg: string;
  currInsts: { instantiatedObjPath: string; uniqueKeys: StringMap }[];
};

export type ParamSetting = { param: string; value: string; required: boolean };
export type ObjectSettings = { objPath: string; paramSettings: ParamSetting[] };
export type AddRequest = { allowPartial: boolean; createObjs: ObjectSettings[] };
export type SetRequest = { allowPartial: boolean; updateObjs: ObjectSettings[] };
export type DeleteRequest = { allowPartial: boolean; objPaths: string[] };

/** Result of one element of an Add, Set, Delete, Register or Deregister. */
export type OperStatus<Success, Fail = Failure> = ({ type: 'oper_failure' } & Fail) | ({ type: 'oper_success' } & Success);
export type AddStatus = OperStatus<{ instantiatedPath: string; paramErrs: ParamError[]; uniqueKeys: StringMap }>;
export type SetStatus = OperStatus<
  { updatedInstResults: { affectedPath: string; paramErrs: ParamError[]; updatedParams: StringMap }[] },
  Failure & { updatedInstFailures: { affectedPath: string; paramErrs: ParamError[] }[] }
>;
export type DeleteStatus = OperStatus<{
  affectedPaths: string[];
  unaffectedPathErrs: { unaffectedPath: string; errCode: number; errMsg: string }[];
}>;
export type RegisterStatus = OperStatus<{ registeredPath: string }>;
export type DeregisterStatus = OperStatus<{ deregisteredPath: string[] }>;

/** `command` is a full path, e.g. 'Device.Reboot()'; `commandKey` is returned in the OperationComplete notification. */
export type OperateRequest = { command: string; commandKey: string; sendResp: boolean; inputArgs: StringMap };
/**
 * `req_obj_path` means that the command continues and reports by OperationComplete; its value is the path of the Request object.
 */
export type OperationResult = { type: 'req_obj_path'; value: string } | OperationOutcome;
export type OperationOutcome = { type: 'req_output_args'; outputArgs: StringMap } | ({ type: 'cmd_failure' } & Failure);

/** With `sendResp` the sender repeats the message, under the same msg_id, until a notify_resp arrives. */
export type NotifyRequest = { subscriptionId: string; sendResp: boolean; notification: UspNotification };
export type UspNotification =
  /** `eventName` ends in '!', e.g. 'Boot!'; `objPath` is the object that raised it, e.g. 'Device.'. */
  | { type: 'event'; objPath: string; eventName: string; params: StringMap }
  | { type: 'value_change'; paramPath: string; paramValue: string }
  | { type: 'obj_creation'; objPath: string; uniqueKeys: StringMap }
  | { type: 'obj_deletion'; objPath: string }
  | { type: 'oper_complete'; objPath: string; commandName: string; commandKey: string; result: OperationOutcome }
  | { type: 'on_board_req'; oui: string; productClass: string; serialNumber: string; agentSupportedProtocolVersions: string }
  /** A notification of a newer version, or one without contents. Only decoded. */
  | { type: 'unknown' };

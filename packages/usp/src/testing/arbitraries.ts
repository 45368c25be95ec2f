import * as fc from 'fast-check';
import type * as usp from '../message.ts';
import type { RecordPayload, UspRecord } from '../record.ts';

/** Any valid record and message, for property tests. */

const text = fc.string({ unit: 'grapheme', maxLength: 12 });
const key = fc.oneof(text, fc.constantFrom('__proto__', 'constructor', 'toString', '1', ''));
const texts = fc.array(text, { maxLength: 3 });
const bytes = fc.uint8Array({ maxLength: 40 });
const code = fc.integer({ min: 0, max: 0xffffffff });
const uint64 = fc.bigInt({ min: 0n, max: 0xffffffffffffffffn });
const bool = fc.boolean();
const stringMap = fc.array(fc.tuple(key, text), { maxLength: 4 }).map((entries) => new Map(sortedEntries(new Map(entries))));

/** Numeric keys come first after a round trip through an object; the order of a map is not significant. */
function sortedEntries(map: Map<string, string>): [string, string][] {
  return [...map].sort(([a], [b]) => (a < b ? -1 : 1));
}

const list = <T>(item: fc.Arbitrary<T>) => fc.array(item, { maxLength: 3 });
const failure = fc.record({ errCode: code, errMsg: text });
const paramErrs = list(fc.record({ param: text, errCode: code, errMsg: text }));

function operStatus<S extends object, F extends object = usp.Failure>(success: fc.Arbitrary<S>, fail: fc.Arbitrary<F>) {
  return fc.oneof(
    success.map((value) => ({ type: 'oper_success' as const, ...value })),
    fail.map((value) => ({ type: 'oper_failure' as const, ...value })),
  );
}

const results = <S extends object, F extends object>(success: fc.Arbitrary<S>, fail: fc.Arbitrary<F>) =>
  list(fc.record({ requestedPath: text, operStatus: operStatus(success, fail) }));

const settings = list(fc.record({ objPath: text, paramSettings: list(fc.record({ param: text, value: text, required: bool })) }));
const outcome: fc.Arbitrary<usp.OperationOutcome> = fc.oneof(
  stringMap.map((outputArgs) => ({ type: 'req_output_args' as const, outputArgs })),
  failure.map((value) => ({ type: 'cmd_failure' as const, ...value })),
);

const notification: fc.Arbitrary<usp.UspNotification> = fc.oneof(
  fc.record({ type: fc.constant('event' as const), objPath: text, eventName: text, params: stringMap }),
  fc.record({ type: fc.constant('value_change' as const), paramPath: text, paramValue: text }),
  fc.record({ type: fc.constant('obj_creation' as const), objPath: text, uniqueKeys: stringMap }),
  fc.record({ type: fc.constant('obj_deletion' as const), objPath: text }),
  fc.record({
    type: fc.constant('oper_complete' as const),
    objPath: text,
    commandName: text,
    commandKey: text,
    result: outcome,
  }),
  fc.record({
    type: fc.constant('on_board_req' as const),
    oui: text,
    productClass: text,
    serialNumber: text,
    agentSupportedProtocolVersions: text,
  }),
);

const request: fc.Arbitrary<usp.UspRequest> = fc.oneof(
  fc.record({ type: fc.constant('get' as const), paramPaths: texts, maxDepth: code }),
  fc.record({
    type: fc.constant('get_supported_dm' as const),
    objPaths: texts,
    firstLevelOnly: bool,
    returnCommands: bool,
    returnEvents: bool,
    returnParams: bool,
    returnUniqueKeySets: bool,
  }),
  fc.record({ type: fc.constant('get_instances' as const), objPaths: texts, firstLevelOnly: bool }),
  fc.record({ type: fc.constant('set' as const), allowPartial: bool, updateObjs: settings }),
  fc.record({ type: fc.constant('add' as const), allowPartial: bool, createObjs: settings }),
  fc.record({ type: fc.constant('delete' as const), allowPartial: bool, objPaths: texts }),
  fc.record({ type: fc.constant('operate' as const), command: text, commandKey: text, sendResp: bool, inputArgs: stringMap }),
  fc.record({ type: fc.constant('notify' as const), subscriptionId: text, sendResp: bool, notification }),
  fc.record({ type: fc.constant('get_supported_protocol' as const), controllerSupportedProtocolVersions: text }),
  fc.record({ type: fc.constant('register' as const), allowPartial: bool, regPaths: list(fc.record({ path: text })) }),
  fc.record({ type: fc.constant('deregister' as const), paths: texts }),
);

const supportedObject: fc.Arbitrary<usp.SupportedObject> = fc.record({
  supportedObjPath: text,
  access: fc.constantFrom('OBJ_READ_ONLY', 'OBJ_ADD_DELETE', 'OBJ_ADD_ONLY', 'OBJ_DELETE_ONLY'),
  isMultiInstance: bool,
  supportedCommands: list(
    fc.record({
      commandName: text,
      inputArgNames: texts,
      outputArgNames: texts,
      commandType: fc.constantFrom('CMD_UNKNOWN' as const, 'CMD_SYNC' as const, 'CMD_ASYNC' as const),
    }),
  ),
  supportedEvents: list(fc.record({ eventName: text, argNames: texts })),
  supportedParams: list(
    fc.record({
      paramName: text,
      access: fc.constantFrom('PARAM_READ_ONLY' as const, 'PARAM_READ_WRITE' as const, 'PARAM_WRITE_ONLY' as const),
      valueType: fc.constantFrom('PARAM_UNKNOWN' as const, 'PARAM_BOOLEAN' as const, 'PARAM_UNSIGNED_LONG' as const),
      valueChange: fc.constantFrom('VALUE_CHANGE_UNKNOWN' as const, 'VALUE_CHANGE_WILL_IGNORE' as const),
    }),
  ),
  divergentPaths: texts,
  uniqueKeySets: list(fc.record({ keyNames: texts })),
});

const response: fc.Arbitrary<usp.UspResponse> = fc.oneof(
  fc.record({
    type: fc.constant('get_resp' as const),
    reqPathResults: list(
      fc.record({
        requestedPath: text,
        errCode: code,
        errMsg: text,
        resolvedPathResults: list(fc.record({ resolvedPath: text, resultParams: stringMap })),
      }),
    ),
  }),
  fc.record({
    type: fc.constant('get_supported_dm_resp' as const),
    reqObjResults: list(
      fc.record({
        reqObjPath: text,
        errCode: code,
        errMsg: text,
        dataModelInstUri: text,
        supportedObjs: list(supportedObject),
      }),
    ),
  }),
  fc.record({
    type: fc.constant('get_instances_resp' as const),
    reqPathResults: list(
      fc.record({
        requestedPath: text,
        errCode: code,
        errMsg: text,
        currInsts: list(fc.record({ instantiatedObjPath: text, uniqueKeys: stringMap })),
      }),
    ),
  }),
  fc.record({
    type: fc.constant('set_resp' as const),
    updatedObjResults: results(
      fc.record({ updatedInstResults: list(fc.record({ affectedPath: text, paramErrs, updatedParams: stringMap })) }),
      fc.record({ errCode: code, errMsg: text, updatedInstFailures: list(fc.record({ affectedPath: text, paramErrs })) }),
    ),
  }),
  fc.record({
    type: fc.constant('add_resp' as const),
    createdObjResults: results(fc.record({ instantiatedPath: text, paramErrs, uniqueKeys: stringMap }), failure),
  }),
  fc.record({
    type: fc.constant('delete_resp' as const),
    deletedObjResults: results(
      fc.record({
        affectedPaths: texts,
        unaffectedPathErrs: list(fc.record({ unaffectedPath: text, errCode: code, errMsg: text })),
      }),
      failure,
    ),
  }),
  fc.record({
    type: fc.constant('operate_resp' as const),
    operationResults: list(
      fc.record({
        executedCommand: text,
        result: fc.oneof(
          outcome,
          text.map((value) => ({ type: 'req_obj_path' as const, value })),
        ),
      }),
    ),
  }),
  fc.record({ type: fc.constant('notify_resp' as const), subscriptionId: text }),
  fc.record({ type: fc.constant('get_supported_protocol_resp' as const), agentSupportedProtocolVersions: text }),
  fc.record({
    type: fc.constant('register_resp' as const),
    registeredPathResults: results(fc.record({ registeredPath: text }), failure),
  }),
  fc.record({
    type: fc.constant('deregister_resp' as const),
    deregisteredPathResults: results(fc.record({ deregisteredPath: texts }), failure),
  }),
);

const errorBody: fc.Arbitrary<usp.UspErrorBody> = fc.record({
  type: fc.constant('error' as const),
  errCode: code,
  errMsg: text,
  paramErrs: list(fc.record({ paramPath: text, errCode: code, errMsg: text })),
});

const payload: fc.Arbitrary<RecordPayload> = fc.oneof(
  fc.record({ type: fc.constant('no_session_context' as const), payload: bytes }),
  fc.record({
    type: fc.constant('session_context' as const),
    sessionId: uint64,
    sequenceId: uint64,
    expectedId: uint64,
    retransmitId: uint64,
    payloadSarState: fc.constantFrom('NONE' as const, 'BEGIN' as const, 'INPROCESS' as const, 'COMPLETE' as const),
    payloadrecSarState: fc.constantFrom('NONE' as const, 'COMPLETE' as const),
    payload: list(bytes),
  }),
  fc.constant({ type: 'websocket_connect' as const }),
  fc.record({
    type: fc.constant('mqtt_connect' as const),
    version: fc.constantFrom('V3_1_1' as const, 'V5' as const),
    subscribedTopic: text,
  }),
  fc.record({ type: fc.constant('stomp_connect' as const), version: fc.constant('V1_2' as const), subscribedDestination: text }),
  fc.record({ type: fc.constant('disconnect' as const), reason: text, reasonCode: code }),
  fc.constant({ type: 'uds_connect' as const }),
);

/** Any record. */
export const anyRecord: fc.Arbitrary<UspRecord> = fc.record({
  version: text,
  toId: text,
  fromId: text,
  payloadSecurity: fc.constantFrom('PLAINTEXT', 'TLS12'),
  macSignature: bytes,
  senderCert: bytes,
  payload,
});

/** Any message: every request, every response, and errors. */
export const anyMessage: fc.Arbitrary<usp.UspMessage> = fc.record({
  msgId: text,
  body: fc.oneof({ weight: 11, arbitrary: request }, { weight: 11, arbitrary: response }, { weight: 1, arbitrary: errorBody }),
});

import { create, createFileRegistry, fromBinary, toBinary } from '@bufbuild/protobuf';
import type { DescMessage } from '@bufbuild/protobuf';
import {
  DescriptorProtoSchema,
  EnumDescriptorProtoSchema,
  FieldDescriptorProto_Label as Label,
  FieldDescriptorProto_Type as Type,
  FieldDescriptorProtoSchema,
  FileDescriptorProtoSchema,
  FileDescriptorSetSchema,
  OneofDescriptorProtoSchema,
} from '@bufbuild/protobuf/wkt';
import type { DescriptorProto } from '@bufbuild/protobuf/wkt';

/**
 * A second USP codec, for tests only: another protobuf runtime, and a second schema written from the standard's field numbers. It
 * shares no code with the shipped one, so that a wrong number in either of them shows.
 *
 * Values have that runtime's format: fields in camel case, a oneof as `{ case, value }`, enums as numbers, maps as objects.
 */
export type IndependentValue = { [field: string]: unknown };

/** Encode a Record; fields missing in `value` are not encoded. */
export function encodeIndependentRecord(value: IndependentValue): Uint8Array {
  return encode('usp_record.Record', value);
}

/** Decode a Record. @throws Error for invalid bytes */
export function decodeIndependentRecord(bytes: Uint8Array): IndependentValue {
  return decode('usp_record.Record', bytes);
}

/** Encode a Msg; the caller sets header, msg_type and body. */
export function encodeIndependentMessage(value: IndependentValue): Uint8Array {
  return encode('usp.Msg', value);
}

/** Decode a Msg. @throws Error for invalid bytes */
export function decodeIndependentMessage(bytes: Uint8Array): IndependentValue {
  return decode('usp.Msg', bytes);
}

/** MsgType numbers in the order of TR-369, from ERROR = 0. */
export const INDEPENDENT_MSG_TYPES = [
  'ERROR', 'GET', 'GET_RESP', 'NOTIFY', 'SET', 'SET_RESP', 'OPERATE', 'OPERATE_RESP', 'ADD', 'ADD_RESP', 'DELETE', 'DELETE_RESP',
  'GET_SUPPORTED_DM', 'GET_SUPPORTED_DM_RESP', 'GET_INSTANCES', 'GET_INSTANCES_RESP', 'NOTIFY_RESP', 'GET_SUPPORTED_PROTO',
  'GET_SUPPORTED_PROTO_RESP', 'REGISTER', 'REGISTER_RESP', 'DEREGISTER', 'DEREGISTER_RESP',
]; // prettier-ignore

/**
 * One line per message: `Name: field number kind, …`. Kinds: s string, b bool, f fixed32, u uint64, y bytes, e enum, m map of strings,
 * or the name of a message; `[]` repeats; `|` puts the field into the message's oneof.
 */
const RECORD_LINES = `
Record: version 1 s, to_id 2 s, from_id 3 s, payload_security 4 e, mac_signature 5 y, sender_cert 6 y, no_session_context 7 |NoSession, session_context 8 |Session, websocket_connect 9 |Nothing, mqtt_connect 10 |Mqtt, stomp_connect 11 |Stomp, disconnect 12 |Disconnect, uds_connect 13 |Nothing
NoSession: payload 2 y
Session: session_id 1 u, sequence_id 2 u, expected_id 3 u, retransmit_id 4 u, payload_sar_state 5 e, payloadrec_sar_state 6 e, payload 7 y[]
Nothing:
Mqtt: version 1 e, subscribed_topic 2 s
Stomp: version 1 e, subscribed_destination 2 s
Disconnect: reason 1 s, reason_code 2 f`;

const MESSAGE_LINES = `
Msg: header 1 Header, body 2 Body
Header: msg_id 1 s, msg_type 2 e
Body: request 1 |Request, response 2 |Response, error 3 |Error
Request: get 1 |Get, get_supported_dm 2 |GetDm, get_instances 3 |GetInst, set 4 |Set, add 5 |Add, delete 6 |Delete, operate 7 |Operate, notify 8 |Notify, get_supported_protocol 9 |GetProto, register 10 |Register, deregister 11 |Deregister
Response: get_resp 1 |GetR, get_supported_dm_resp 2 |GetDmR, get_instances_resp 3 |GetInstR, set_resp 4 |SetR, add_resp 5 |AddR, delete_resp 6 |DeleteR, operate_resp 7 |OperateR, notify_resp 8 |NotifyR, get_supported_protocol_resp 9 |GetProtoR, register_resp 10 |RegisterR, deregister_resp 11 |DeregisterR
Error: err_code 1 f, err_msg 2 s, param_errs 3 PathErr[]
PathErr: param_path 1 s, err_code 2 f, err_msg 3 s
ParamErr: param 1 s, err_code 2 f, err_msg 3 s
Fail: err_code 1 f, err_msg 2 s
Get: param_paths 1 s[], max_depth 2 f
GetR: req_path_results 1 ReqPath[]
ReqPath: requested_path 1 s, err_code 2 f, err_msg 3 s, resolved_path_results 4 Resolved[]
Resolved: resolved_path 1 s, result_params 2 m
GetDm: obj_paths 1 s[], first_level_only 2 b, return_commands 3 b, return_events 4 b, return_params 5 b, return_unique_key_sets 6 b
GetDmR: req_obj_results 1 ReqObj[]
ReqObj: req_obj_path 1 s, err_code 2 f, err_msg 3 s, data_model_inst_uri 4 s, supported_objs 5 SupObj[]
SupObj: supported_obj_path 1 s, access 2 e, is_multi_instance 3 b, supported_commands 4 SupCmd[], supported_events 5 SupEvt[], supported_params 6 SupParam[], divergent_paths 7 s[], unique_key_sets 8 KeySet[]
SupCmd: command_name 1 s, input_arg_names 2 s[], output_arg_names 3 s[], command_type 4 e
SupEvt: event_name 1 s, arg_names 2 s[]
SupParam: param_name 1 s, access 2 e, value_type 3 e, value_change 4 e
KeySet: key_names 1 s[]
GetInst: obj_paths 1 s[], first_level_only 2 b
GetInstR: req_path_results 1 InstPath[]
InstPath: requested_path 1 s, err_code 2 f, err_msg 3 s, curr_insts 4 Inst[]
Inst: instantiated_obj_path 1 s, unique_keys 2 m
GetProto: controller_supported_protocol_versions 1 s
GetProtoR: agent_supported_protocol_versions 1 s
Obj: obj_path 1 s, param_settings 2 Setting[]
Setting: param 1 s, value 2 s, required 3 b
Add: allow_partial 1 b, create_objs 2 Obj[]
AddR: created_obj_results 1 Created[]
Created: requested_path 1 s, oper_status 2 AddStatus
AddStatus: oper_failure 1 |Fail, oper_success 2 |AddOk
AddOk: instantiated_path 1 s, param_errs 2 ParamErr[], unique_keys 3 m
Set: allow_partial 1 b, update_objs 2 Obj[]
SetR: updated_obj_results 1 Updated[]
Updated: requested_path 1 s, oper_status 2 SetStatus
SetStatus: oper_failure 1 |SetFail, oper_success 2 |SetOk
SetFail: err_code 1 f, err_msg 2 s, updated_inst_failures 3 InstFail[]
InstFail: affected_path 1 s, param_errs 2 ParamErr[]
SetOk: updated_inst_results 1 InstOk[]
InstOk: affected_path 1 s, param_errs 2 ParamErr[], updated_params 3 m
Delete: allow_partial 1 b, obj_paths 2 s[]
DeleteR: deleted_obj_results 1 Deleted[]
Deleted: requested_path 1 s, oper_status 2 DelStatus
DelStatus: oper_failure 1 |Fail, oper_success 2 |DelOk
DelOk: affected_paths 1 s[], unaffected_path_errs 2 Unaffected[]
Unaffected: unaffected_path 1 s, err_code 2 f, err_msg 3 s
Operate: command 1 s, command_key 2 s, send_resp 3 b, input_args 4 m
OperateR: operation_results 1 OpResult[]
OpResult: executed_command 1 s, req_obj_path 2 |s, req_output_args 3 |OutArgs, cmd_failure 4 |Fail
OutArgs: output_args 1 m
Notify: subscription_id 1 s, send_resp 2 b, event 3 |Event, value_change 4 |Change, obj_creation 5 |Creation, obj_deletion 6 |Deletion, oper_complete 7 |Complete, on_board_req 8 |OnBoard
NotifyR: subscription_id 1 s
Event: obj_path 1 s, event_name 2 s, params 3 m
Change: param_path 1 s, param_value 2 s
Creation: obj_path 1 s, unique_keys 2 m
Deletion: obj_path 1 s
Complete: obj_path 1 s, command_name 2 s, command_key 3 s, req_output_args 4 |OutArgs, cmd_failure 5 |Fail
OnBoard: oui 1 s, product_class 2 s, serial_number 3 s, agent_supported_protocol_versions 4 s
Register: allow_partial 1 b, reg_paths 2 RegPath[]
RegPath: path 1 s
RegisterR: registered_path_results 1 Registered[]
Registered: requested_path 1 s, oper_status 2 RegStatus
RegStatus: oper_failure 1 |Fail, oper_success 2 |RegOk
RegOk: registered_path 1 s
Deregister: paths 1 s[]
DeregisterR: deregistered_path_results 1 Deregistered[]
Deregistered: requested_path 1 s, oper_status 2 DeregStatus
DeregStatus: oper_failure 1 |Fail, oper_success 2 |DeregOk
DeregOk: deregistered_path 1 s[]`;

const SCALARS: { [kind: string]: Type } = {
  s: Type.STRING,
  b: Type.BOOL,
  f: Type.FIXED32,
  u: Type.UINT64,
  y: Type.BYTES,
  e: Type.ENUM,
};

function describeFile(packageName: string, lines: string) {
  const messageType = lines
    .trim()
    .split('\n')
    .map((line) => describeMessage(packageName, line));
  // Enums are encoded as numbers; one open enum represents all of them.
  const enumType = [create(EnumDescriptorProtoSchema, { name: 'Number', value: [{ name: 'ZERO', number: 0 }] })];
  return create(FileDescriptorProtoSchema, {
    name: `${packageName}.proto`,
    package: packageName,
    syntax: 'proto3',
    messageType,
    enumType,
  });
}

function describeMessage(packageName: string, line: string): DescriptorProto {
  const [name = '', fields = ''] = line.split(':');
  const message = create(DescriptorProtoSchema, { name });
  if (fields.includes('|')) message.oneofDecl.push(create(OneofDescriptorProtoSchema, { name: 'one' }));
  for (const field of fields.split(',').filter((text) => text.trim() !== '')) addField(packageName, message, field.trim());
  return message;
}

function addField(packageName: string, message: DescriptorProto, text: string): void {
  const [name = '', number = '', kind = ''] = text.split(' ');
  const base = kind.replace('|', '').replace('[]', '');
  const field = create(FieldDescriptorProtoSchema, { name, number: Number(number), label: Label.OPTIONAL });
  if (kind.endsWith('[]') || base === 'm') field.label = Label.REPEATED;
  if (kind.startsWith('|')) field.oneofIndex = 0;
  field.type = SCALARS[base] ?? Type.MESSAGE;
  if (base === 'e') field.typeName = `.${packageName}.Number`;
  else if (base === 'm') field.typeName = `.${packageName}.${message.name}.${addMapEntry(message, name)}`;
  else if (field.type === Type.MESSAGE) field.typeName = `.${packageName}.${base}`;
  message.field.push(field);
}

function addMapEntry(message: DescriptorProto, fieldName: string): string {
  const name = `${fieldName.replace(/(^|_)([a-z])/g, (_, __, letter: string) => letter.toUpperCase())}Entry`;
  const part = (partName: string, number: number) => ({ name: partName, number, label: Label.OPTIONAL, type: Type.STRING });
  message.nestedType.push(
    create(DescriptorProtoSchema, { name, field: [part('key', 1), part('value', 2)], options: { mapEntry: true } }),
  );
  return name;
}

const registry = createFileRegistry(
  create(FileDescriptorSetSchema, {
    file: [describeFile('usp_record', RECORD_LINES), describeFile('usp', MESSAGE_LINES)],
  }),
);

function descriptor(typeName: string): DescMessage {
  const found = registry.getMessage(typeName);
  if (!found) throw new Error(`no message ${typeName}`);
  return found;
}

function encode(typeName: string, value: IndependentValue): Uint8Array {
  const type = descriptor(typeName);
  return toBinary(type, create(type, value as never));
}

function decode(typeName: string, bytes: Uint8Array): IndependentValue {
  // Unknown fields are dropped, so that a field under a wrong number is missing in the comparison.
  return fromBinary(descriptor(typeName), bytes, { readUnknownFields: false });
}

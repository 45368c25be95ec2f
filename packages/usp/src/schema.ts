/**
 * TR-369 "Messages": the envelope, then one pair of messages per operation. See {@link RECORD_PROTO} for the role of the oneofs.
 */
export const MESSAGE_PROTO = `
syntax = "proto3";
package usp;

message Msg { Header header = 1; Body body = 2; }
message Header { string msg_id = 1; MsgType msg_type = 2; }
enum MsgType {
  ERROR = 0; GET = 1; GET_RESP = 2; NOTIFY = 3; SET = 4; SET_RESP = 5; OPERATE = 6; OPERATE_RESP = 7; ADD = 8; ADD_RESP = 9;
  DELETE = 10; DELETE_RESP = 11; GET_SUPPORTED_DM = 12; GET_SUPPORTED_DM_RESP = 13; GET_INSTANCES = 14; GET_INSTANCES_RESP = 15;
  NOTIFY_RESP = 16; GET_SUPPORTED_PROTO = 17; GET_SUPPORTED_PROTO_RESP = 18; REGISTER = 19; REGISTER_RESP = 20;
  DEREGISTER = 21; DEREGISTER_RESP = 22;
}
message Body { oneof kind { Request request = 1; Response response = 2; Error error = 3; } }
message Request {
  oneof kind {
    Get get = 1; GetSupportedDm get_supported_dm = 2; GetInstances get_instances = 3; Set set = 4; Add add = 5; Delete delete = 6;
    Operate operate = 7; Notify notify = 8; GetSupportedProtocol get_supported_protocol = 9; Register register = 10;
    Deregister deregister = 11;
  }
}
message Response {
  oneof kind {
    GetResp get_resp = 1; GetSupportedDmResp get_supported_dm_resp = 2; GetInstancesResp get_instances_resp = 3;
    SetResp set_resp = 4; AddResp add_resp = 5; DeleteResp delete_resp = 6; OperateResp operate_resp = 7;
    NotifyResp notify_resp = 8; GetSupportedProtocolResp get_supported_protocol_resp = 9; RegisterResp register_resp = 10;
    DeregisterResp deregister_resp = 11;
  }
}
message Error { fixed32 err_code = 1; string err_msg = 2; repeated PathError param_errs = 3; }
message PathError { string param_path = 1; fixed32 err_code = 2; string err_msg = 3; }
message ParamError { string param = 1; fixed32 err_code = 2; string err_msg = 3; }
message Failure { fixed32 err_code = 1; string err_msg = 2; }
message OutputArgs { map<string, string> output_args = 1; }

// Get
message Get { repeated string param_paths = 1; fixed32 max_depth = 2; }
message GetResp { repeated RequestedPathResult req_path_results = 1; }
message RequestedPathResult {
  string requested_path = 1; fixed32 err_code = 2; string err_msg = 3; repeated ResolvedPathResult resolved_path_results = 4;
}
message ResolvedPathResult { string resolved_path = 1; map<string, string> result_params = 2; }

// GetSupportedDM
message GetSupportedDm {
  repeated string obj_paths = 1; bool first_level_only = 2; bool return_commands = 3; bool return_events = 4;
  bool return_params = 5; bool return_unique_key_sets = 6;
}
message GetSupportedDmResp { repeated RequestedObjectResult req_obj_results = 1; }
message RequestedObjectResult {
  string req_obj_path = 1; fixed32 err_code = 2; string err_msg = 3; string data_model_inst_uri = 4;
  repeated SupportedObject supported_objs = 5;
}
message SupportedObject {
  string supported_obj_path = 1; ObjAccess access = 2; bool is_multi_instance = 3; repeated SupportedCommand supported_commands = 4;
  repeated SupportedEvent supported_events = 5; repeated SupportedParam supported_params = 6; repeated string divergent_paths = 7;
  repeated UniqueKeySet unique_key_sets = 8;
}
message SupportedCommand {
  string command_name = 1; repeated string input_arg_names = 2; repeated string output_arg_names = 3; CommandType command_type = 4;
}
message SupportedEvent { string event_name = 1; repeated string arg_names = 2; }
message SupportedParam { string param_name = 1; ParamAccess access = 2; ValueType value_type = 3; ValueChange value_change = 4; }
message UniqueKeySet { repeated string key_names = 1; }
enum ParamAccess { PARAM_READ_ONLY = 0; PARAM_READ_WRITE = 1; PARAM_WRITE_ONLY = 2; }
enum ObjAccess { OBJ_READ_ONLY = 0; OBJ_ADD_DELETE = 1; OBJ_ADD_ONLY = 2; OBJ_DELETE_ONLY = 3; }
enum ValueType {
  PARAM_UNKNOWN = 0; PARAM_BASE_64 = 1; PARAM_BOOLEAN = 2; PARAM_DATE_TIME = 3; PARAM_DECIMAL = 4; PARAM_HEX_BINARY = 5;
  PARAM_INT = 6; PARAM_LONG = 7; PARAM_STRING = 8; PARAM_UNSIGNED_INT = 9; PARAM_UNSIGNED_LONG = 10;
}
enum ValueChange { VALUE_CHANGE_UNKNOWN = 0; VALUE_CHANGE_ALLOWED = 1; VALUE_CHANGE_WILL_IGNORE = 2; }
enum CommandType { CMD_UNKNOWN = 0; CMD_SYNC = 1; CMD_ASYNC = 2; }

// GetInstances
message GetInstances { repeated string obj_paths = 1; bool first_level_only = 2; }
message GetInstancesResp { repeated InstancesResult req_path_results = 1; }
message InstancesResult {
  string requested_path = 1; fixed32 err_code = 2; string err_msg = 3; repeated CurrentInstance curr_insts = 4;
}
message CurrentInstance { string instantiated_obj_path = 1; map<string, string> unique_keys = 2; }

// GetSupportedProtocol
message GetSupportedProtocol { string controller_supported_protocol_versions = 1; }
message GetSupportedProtocolResp { string agent_supported_protocol_versions = 1; }

// Add and Set share the form of their settings
message ObjectSettings { string obj_path = 1; repeated ParamSetting param_settings = 2; }
message ParamSetting { string param = 1; string value = 2; bool required = 3; }
message Add { bool allow_partial = 1; repeated ObjectSettings create_objs = 2; }
message AddResp { repeated CreatedObjectResult created_obj_results = 1; }
message CreatedObjectResult { string requested_path = 1; AddStatus oper_status = 2; }
message AddStatus { oneof kind { Failure oper_failure = 1; AddSuccess oper_success = 2; } }
message AddSuccess { string instantiated_path = 1; repeated ParamError param_errs = 2; map<string, string> unique_keys = 3; }

message Set { bool allow_partial = 1; repeated ObjectSettings update_objs = 2; }
message SetResp { repeated UpdatedObjectResult updated_obj_results = 1; }
message UpdatedObjectResult { string requested_path = 1; SetStatus oper_status = 2; }
message SetStatus { oneof kind { SetFailure oper_failure = 1; SetSuccess oper_success = 2; } }
message SetFailure { fixed32 err_code = 1; string err_msg = 2; repeated UpdatedInstanceFailure updated_inst_failures = 3; }
message UpdatedInstanceFailure { string affected_path = 1; repeated ParamError param_errs = 2; }
message SetSuccess { repeated UpdatedInstanceResult updated_inst_results = 1; }
message UpdatedInstanceResult {
  string affected_path = 1; repeated ParamError param_errs = 2; map<string, string> updated_params = 3;
}

// Delete
message Delete { bool allow_partial = 1; repeated string obj_paths = 2; }
message DeleteResp { repeated DeletedObjectResult deleted_obj_results = 1; }
message DeletedObjectResult { string requested_path = 1; DeleteStatus oper_status = 2; }
message DeleteStatus { oneof kind { Failure oper_failure = 1; DeleteSuccess oper_success = 2; } }
message DeleteSuccess { repeated string affected_paths = 1; repeated UnaffectedPathError unaffected_path_errs = 2; }
message UnaffectedPathError { string unaffected_path = 1; fixed32 err_code = 2; string err_msg = 3; }

// Operate
message Operate { string command = 1; string command_key = 2; bool send_resp = 3; map<string, string> input_args = 4; }
message OperateResp { repeated OperationResult operation_results = 1; }
message OperationResult {
  string executed_command = 1;
  oneof result { string req_obj_path = 2; OutputArgs req_output_args = 3; Failure cmd_failure = 4; }
}

// Notify
message Notify {
  string subscription_id = 1; bool send_resp = 2;
  oneof notification {
    Event event = 3; ParamValue value_change = 4; ObjectCreation obj_creation = 5; ObjectDeletion obj_deletion = 6;
    OperationComplete oper_complete = 7; OnBoardRequest on_board_req = 8;
  }
}
message NotifyResp { string subscription_id = 1; }
message Event { string obj_path = 1; string event_name = 2; map<string, string> params = 3; }
message ParamValue { string param_path = 1; string param_value = 2; }
message ObjectCreation { string obj_path = 1; map<string, string> unique_keys = 2; }
message ObjectDeletion { string obj_path = 1; }
message OperationComplete {
  string obj_path = 1; string command_name = 2; string command_key = 3;
  oneof result { OutputArgs req_output_args = 4; Failure cmd_failure = 5; }
}
message OnBoardRequest {
  string oui = 1; string product_class = 2; string serial_number = 3; string agent_supported_protocol_versions = 4;
}

// Register and Deregister
message Register { bool allow_partial = 1; repeated RegistrationPath reg_paths = 2; }
message RegistrationPath { string path = 1; }
message RegisterResp { repeated RegisteredPathResult registered_path_results = 1; }
message RegisteredPathResult { string requested_path = 1; RegisterStatus oper_status = 2; }
message RegisterStatus { oneof kind { Failure oper_failure = 1; RegisterSuccess oper_success = 2; } }
message RegisterSuccess { string registered_path = 1; }
message Deregister { repeated string paths = 1; }
message DeregisterResp { repeated DeregisteredPathResult deregistered_path_results = 1; }
message DeregisteredPathResult { string requested_path = 1; DeregisterStatus oper_status = 2; }
message DeregisterStatus { oneof kind { Failure oper_failure = 1; DeregisterSuccess oper_success = 2; } }
message DeregisterSuccess { repeated string deregistered_path = 1; }
`;

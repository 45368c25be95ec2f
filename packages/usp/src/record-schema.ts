/**
 * The protobuf schema of TR-369 (USP 1.3) in proto3, written from the field numbers of the standard.
 *
 * Names of `oneof`s are not encoded; they are chosen for callers: the codec makes each one property of that name with a
 * union discriminated by `type`. A message with a single oneof and nothing else becomes that union itself.
 */
export const RECORD_PROTO = `
syntax = "proto3";
package usp_record;

// TR-369 "Record Definition".
message Record {
  string version = 1;
  string to_id = 2;
  string from_id = 3;
  PayloadSecurity payload_security = 4;
  bytes mac_signature = 5;
  bytes sender_cert = 6;
  oneof payload {
    NoSessionContext no_session_context = 7;
    SessionContext session_context = 8;
    WebSocketConnect websocket_connect = 9;
    MqttConnect mqtt_connect = 10;
    StompConnect stomp_connect = 11;
    Disconnect disconnect = 12;
    UdsConnect uds_connect = 13;
  }
}
enum PayloadSecurity { PLAINTEXT = 0; TLS12 = 1; }
enum SarState { NONE = 0; BEGIN = 1; INPROCESS = 2; COMPLETE = 3; }
enum MqttVersion { V3_1_1 = 0; V5 = 1; }
enum StompVersion { V1_2 = 0; }
message NoSessionContext { bytes payload = 2; }
message SessionContext {
  uint64 session_id = 1;
  uint64 sequence_id = 2;
  uint64 expected_id = 3;
  uint64 retransmit_id = 4;
  SarState payload_sar_state = 5;
  SarState payloadrec_sar_state = 6;
  repeated bytes payload = 7;
}
message WebSocketConnect {}
message MqttConnect { MqttVersion version = 1; string subscribed_topic = 2; }
message StompConnect { StompVersion version = 1; string subscribed_destination = 2; }
message Disconnect { string reason = 1; fixed32 reason_code = 2; }
message UdsConnect {}
`;

/** A USP Record (TR-369 "Record Definition") as plain values, with every field present and one payload. */
export type UspRecord = {
  /** USP version of the sender, e.g. '1.3'. */
  version: string;
  toId: string;
  fromId: string;
  payloadSecurity: 'PLAINTEXT' | 'TLS12';
  macSignature: Uint8Array;
  senderCert: Uint8Array;
  payload: RecordPayload;
};

/** Payload of a record. Messages use `no_session_context`; TLS protects the connection. */
export type RecordPayload =
  | { type: 'no_session_context'; payload: Uint8Array }
  | ({ type: 'session_context' } & SessionContext)
  | { type: 'websocket_connect' }
  | { type: 'mqtt_connect'; version: 'V3_1_1' | 'V5'; subscribedTopic: string }
  | { type: 'stomp_connect'; version: 'V1_2'; subscribedDestination: string }
  | { type: 'disconnect'; reason: string; reasonCode: number }
  | { type: 'uds_connect' };

/** Segmentation state of a session context (TR-369 "Segmented Message Exchange"). */
export type SarState = 'NONE' | 'BEGIN' | 'INPROCESS' | 'COMPLETE';

/** Decoded so that it can be rejected with a clear error; this project does not support session contexts. */
export type SessionContext = {
  sessionId: bigint;
  sequenceId: bigint;
  expectedId: bigint;
  retransmitId: bigint;
  payloadSarState: SarState;
  payloadrecSarState: SarState;
  payload: Uint8Array[];
};

/** A record to send: missing fields get defaults (version '1.3', plaintext, no signature, no certificate). */
export type UspRecordInit = Pick<UspRecord, 'toId' | 'fromId' | 'payload'> & Partial<UspRecord>;

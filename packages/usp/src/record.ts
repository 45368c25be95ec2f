/** A USP Record (TR-369 "Record Definition") as callers see it: plain values, every field present, one payload. */
export type UspRecord = {
  /** USP version the sender speaks, e.g. '1.3'. */
  version: string;
  toId: string;
  fromId: string;
  payloadSecurity: 'PLAINTEXT' | 'TLS12';
  macSignature: Uint8Array;
  senderCert: Uint8Array;
  payload: RecordPayload;
};

/** What a record carries. `no_session_context` is the one that carries messages here; TLS protects the wire. */
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

/** Understood on the wire so that it can be refused in plain words; this project does not hold session contexts. */
export type SessionContext = {
  sessionId: bigint;
  sequenceId: bigint;
  expectedId: bigint;
  retransmitId: bigint;
  payloadSarState: SarState;
  payloadrecSarState: SarState;
  payload: Uint8Array[];
};

/** A record to send: what is left out takes the usual value (version '1.3', plaintext, no signature, no certificate). */
export type UspRecordInit = Pick<UspRecord, 'toId' | 'fromId' | 'payload'> & Partial<UspRecord>;

/** How the gateway treats routers. Times are milliseconds unless the name says otherwise. */
export interface GatewaySettings {
  /** Our endpoint id, which every record names (TR-369). */
  readonly controllerId: string;
  /** Between two pings of one connection. */
  readonly pingMs: number;
  /** A connection that says nothing for so long is lost: the keep-alive window of DEV-08. */
  readonly silenceMs: number;
  /** From the handshake to the first record. */
  readonly connectMs: number;
  /** How long a closing handshake may take. */
  readonly closeMs: number;
  /** At a stop: how long all the goodbyes together may take. */
  readonly goodbyeMs: number;
  /** How long a router may think about a request. */
  readonly requestMs: number;
  /** Between two pings while a router owes an answer: agents in the field stall without. */
  readonly awaitPingMs: number;
  /** Requests that may wait for one router. */
  readonly requestQueue: number;
  /** A whole message, all of its fragments together. */
  readonly maxMessageBytes: number;
  /** Above these a connection is not read until the second is over … */
  readonly framesPerSecond: number;
  readonly bytesPerSecond: number;
  /** … above this many in one second, or after so many full seconds in a row, it is closed. */
  readonly framesPerSecondAtMost: number;
  readonly fullSeconds: number;
  /** What may wait to be read by a router before its connection is given up. */
  readonly maxUnsentBytes: number;
  /** Notifications of one router that wait to be durable; more are left unanswered, and come again. */
  readonly notificationsInFlight: number;
  /** "Last heard" is written this often per router. */
  readonly heardMs: number;
  /** Routers that are brought up to date at the same time. */
  readonly reconciles: number;
  /** A router that is slower than this no longer holds one of those places. */
  readonly reconcileSlotMs: number;
  /** A router that stays connected is brought up to date again after this time. */
  readonly refreshMs: number;
  /** Before what a router refused of its set-up is tried again; doubled each time, up to `refreshMs`. */
  readonly setUpRetryMs: number;
  /** Between two reports of measured values. */
  readonly telemetrySeconds: number;
  /** Between two Periodic! events. */
  readonly heartbeatSeconds: number;
  /** Secrets are looked up together after waiting so long … */
  readonly admissionMs: number;
  /** … so many at most, while so many more may wait. */
  readonly admissionBatch: number;
  readonly admissionQueue: number;
  /** Failed tries of one address before its unknown secrets are looked up one after another. */
  readonly failedTries: number;
  /** So many of them may wait. */
  readonly suspectsWaiting: number;
  /** Connections of one router in a row; beyond, one every two seconds. */
  readonly reconnects: number;
  /** Routers that replace each other's connection so often within the window are clones. */
  readonly cloneReplacements: number;
  readonly cloneWindowMs: number;
}

export const gatewayDefaults: Omit<GatewaySettings, 'controllerId'> = {
  pingMs: 20_000,
  silenceMs: 50_000,
  connectMs: 15_000,
  closeMs: 3_000,
  goodbyeMs: 300,
  requestMs: 20_000,
  awaitPingMs: 500,
  requestQueue: 16,
  maxMessageBytes: 1024 * 1024,
  framesPerSecond: 100,
  bytesPerSecond: 2 * 1024 * 1024,
  framesPerSecondAtMost: 5_000,
  fullSeconds: 30,
  maxUnsentBytes: 512 * 1024,
  notificationsInFlight: 64,
  heardMs: 45_000,
  reconciles: 200,
  reconcileSlotMs: 15_000,
  refreshMs: 6 * 3_600_000,
  setUpRetryMs: 120_000,
  telemetrySeconds: 60,
  heartbeatSeconds: 60,
  admissionMs: 5,
  admissionBatch: 250,
  admissionQueue: 20_000,
  failedTries: 20,
  suspectsWaiting: 100,
  reconnects: 20,
  cloneReplacements: 3,
  cloneWindowMs: 300_000,
};

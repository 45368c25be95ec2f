/** How the gateway treats routers. Times are milliseconds unless the name gives another unit. */
export interface GatewaySettings {
  /** Our endpoint id, which every record names (TR-369). */
  readonly controllerId: string;
  /** Interval between two pings of one connection. */
  readonly pingMs: number;
  /** A connection silent for this long is lost: the keep-alive window of DEV-08. */
  readonly silenceMs: number;
  /** Time from the handshake to the first record. */
  readonly connectMs: number;
  /** Time limit of a closing handshake. */
  readonly closeMs: number;
  /** At a stop: time limit for all closing handshakes together. */
  readonly goodbyeMs: number;
  /** Time limit of a request to a router. */
  readonly requestMs: number;
  /** Interval between two pings while a router owes a response: agents in the field stall without them. */
  readonly awaitPingMs: number;
  /** Requests that may be queued for one router. */
  readonly requestQueue: number;
  /** Size of a whole message, all of its fragments together. */
  readonly maxMessageBytes: number;
  /** Above these a connection is paused until the next second, for fields until their average is below … */
  readonly framesPerSecond: number;
  readonly bytesPerSecond: number;
  readonly fieldsPerSecond: number;
  /** … above this many in one second, or after this number of full seconds in a row, it is closed. */
  readonly framesPerSecondAtMost: number;
  readonly fullSeconds: number;
  /** Bytes that may wait to be sent to a router before its connection is closed. */
  readonly maxUnsentBytes: number;
  /** Notifications of one router that may wait to be durable; more are left unanswered, and sent again. */
  readonly notificationsInFlight: number;
  /**
   * Reports of readings that one router may send in a row, its Boot! events, and changes for which all of it is read; more are left unanswered in the
   * same way. One report is regained each second, one Boot! each minute, one change every ten seconds.
   */
  readonly reportsInRow: number;
  readonly bootsInRow: number;
  readonly changesInRow: number;
  /** A change that comes on a connection no older than this may have been sent into an older one, and be over: its value is read. */
  readonly youngMs: number;
  /** Interval of writing "last contact" per router. */
  readonly contactMs: number;
  /** Routers reconciled at the same time. */
  readonly reconciles: number;
  /** A router slower than this no longer occupies one of those slots. */
  readonly reconcileSlotMs: number;
  /** A router that stays connected is reconciled again after this time. */
  readonly refreshMs: number;
  /** Delay before a rejected part of the set-up is retried; doubled each time, up to `refreshMs`. */
  readonly setUpRetryMs: number;
  /** Interval between two reports of measured values, for routers whose group has none. */
  readonly telemetrySeconds: number;
  /** Interval between two Periodic! events. */
  readonly heartbeatSeconds: number;
  /** How often the intervals of connected routers are compared with those of their groups. */
  readonly intervalsMs: number;
  /** Secrets are looked up in batches after waiting this long … */
  readonly admissionMs: number;
  /** … at most this many per batch, while the queue holds at most this many more. */
  readonly admissionBatch: number;
  readonly admissionQueue: number;
  /** Failed attempts of an address before its unknown secrets are looked up one by one. */
  readonly failedTries: number;
  /** Queue limit for such secrets. */
  readonly suspectsWaiting: number;
  /** Connections of one router in a row; above that, one every two seconds. */
  readonly reconnects: number;
  /** Routers that replace each other's connection this often within the window are clones. */
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
  // Of the largest kind, some percent of a core. A report has about 20, the answer to a Get of all tables that are read some thousand.
  fieldsPerSecond: 10_000,
  framesPerSecondAtMost: 5_000,
  fullSeconds: 30,
  maxUnsentBytes: 512 * 1024,
  notificationsInFlight: 64,
  // A week of one report a minute.
  reportsInRow: 10_000,
  bootsInRow: 20,
  changesInRow: 60,
  // TR-369 "Notification Retry": the next repetition comes after at most twice the time that a router has waited. A dead connection is replaced within minutes.
  youngMs: 600_000,
  contactMs: 45_000,
  reconciles: 200,
  reconcileSlotMs: 15_000,
  refreshMs: 6 * 3_600_000,
  setUpRetryMs: 120_000,
  telemetrySeconds: 60,
  intervalsMs: 30_000,
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

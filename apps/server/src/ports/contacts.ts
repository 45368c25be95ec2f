/** When a router last sent anything to us, and how strong its signal was then. */
export interface Contact {
  readonly at: Date;
  /** dBm; null = its modem states none, undefined = it did not say this time. */
  readonly rssi?: number | null | undefined;
}

/** The last contact of routers that are connected to this process: newer than what the database holds. */
export interface Contacts {
  latest(routerId: string): Contact | undefined;
}

/** When a router last sent anything to us, and its signal strength then. */
export interface Contact {
  readonly at: Date;
  /** dBm; null = its modem reports none, undefined = not part of this report. */
  readonly rssi?: number | null | undefined;
}

/** The last contact of routers connected to this process: newer than the database. */
export interface Contacts {
  latest(routerId: string): Contact | undefined;
}

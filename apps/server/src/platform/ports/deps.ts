import type { Sealing } from '../../kernel/sealing.ts';
import type { KeySamples, Reader, RowStreams } from '../listing/index.ts';
import type { BlobStore } from './blobs.ts';
import type { Clock } from './clock.ts';
import type { Contacts } from './contacts.ts';
import type { Database } from './database.ts';
import type { DeviceLink } from './device-link.ts';
import type { Log } from './log.ts';
import type { Tunnels } from './tunnels.ts';

/** What compose/ gives to more than one part of the server. Each part names what it takes: `Pick<Deps, 'database' | 'clock'>`. */
export interface Deps {
  readonly database: Database;
  readonly reader: Reader;
  readonly streams: RowStreams;
  readonly keySamples: KeySamples;
  readonly clock: Clock;
  readonly log: Log;
  readonly deviceLink: DeviceLink;
  /** The last contact of connected routers. */
  readonly contacts: Contacts;
  readonly tunnels: Tunnels;
  readonly blobs: BlobStore;
  /** Encrypts mails with secret links. */
  readonly mailSealing: Sealing;
  /** Reports every committed change to a main account's data, also by other servers; cached counts are then invalidated. */
  readonly onChanged: (listener: (mainAccountId: string) => void) => void;
  /** A subscription that ends within this many days is expiring. */
  readonly expiringDays: number;
}

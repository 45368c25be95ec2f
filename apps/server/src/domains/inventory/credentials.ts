import type { Database } from '../../platform/ports/database.ts';
import { admitRouters, type AdmittedRouter } from './admission.ts';
import { admitCertificates, type CertifiedRouter, type PresentedCertificate } from './certificates/certified-routers.ts';

/** Looks up the credentials that connections present; each response is keyed by the hash or fingerprint in hex. */
export interface RouterCredentials {
  bySecrets(hashes: readonly Buffer[], now: Date): Promise<ReadonlyMap<string, AdmittedRouter>>;
  byCertificates(certificates: readonly PresentedCertificate[], now: Date): Promise<ReadonlyMap<string, CertifiedRouter>>;
}

/** The credentials of the inventory. */
export function createRouterCredentials(database: Pick<Database, 'read'>): RouterCredentials {
  return {
    bySecrets: (hashes, now) => admitRouters(database.read, hashes, now),
    byCertificates: (certificates, now) => admitCertificates(database.read, certificates, now),
  };
}

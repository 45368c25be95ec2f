import { DomainError, required, isId, newId, createSealing } from '../../../kernel/index.ts';
import type { Actor, MainScope, MasterKey, Sealing } from '../../../kernel/index.ts';
import { announce } from '../../../platform/outbox/announce.ts';
import type { Deps } from '../../../platform/ports/deps.ts';
import type { Tx } from '../../../platform/ports/database.ts';
import { type AuditAction, recordAudit, sentence } from '../../logs/index.ts';
import { lockRouters } from '../inventory.store.ts';
import { createAuthority, issueCertificate, type Authority, type IssuedCertificate } from './certificate-authority.ts';
import {
  findAuthority,
  insertCertificate,
  keepAuthority,
  listCertificates,
  revokeCertificate,
  type AuthorityRow,
  type CertificateRow,
} from './certificates.store.ts';

export interface CertificatesDeps extends Pick<Deps, 'database' | 'clock' | 'deviceLink'> {
  readonly sealing: Sealing;
  /** Called after a main account got an authority: the list of client authorities has changed. */
  readonly authorityAdded: () => void;
}

/** A certificate with its private key, which is shown once. */
export interface NewRouterCertificate extends IssuedCertificate {
  readonly id: string;
  /** PEM of the authority that signed it. */
  readonly authority: string;
}

/** How long replaced certificates remain valid. */
export const CERTIFICATE_OVERLAP_MS = 7 * 86_400_000;

/** Encrypts the private keys of authorities under the master key. */
export function createAuthoritySealing(masterKey: MasterKey): Sealing {
  return createSealing(masterKey, 'client certificate authority');
}

/** Client certificates of routers, issued by an authority of each main account. */
export function createCertificatesService({ database, clock, deviceLink, sealing, authorityAdded }: CertificatesDeps) {
  /** The authority of a main account, created with its first certificate in the same transaction. */
  const openAuthority = async (tx: Tx, scope: MainScope, now: Date): Promise<Authority & { readonly isNew: boolean }> => {
    const stored = await findAuthority(tx, scope);
    if (stored !== undefined) return { ...opened(sealing, scope, stored), isNew: false };
    const made = await createAuthority(scope.mainAccountId, now);
    const row = { certificate: made.certificate, sealed_key: sealing.seal(scope.mainAccountId, made.key) };
    return { ...opened(sealing, scope, await keepAuthority(tx, scope, row, now)), isNew: true };
  };

  return {
    /** The newest certificates of a router, newest first. */
    list: (scope: MainScope, routerId: string): Promise<CertificateRow[]> => listCertificates(database.read, scope, routerId),

    /**
     * Issue a client certificate for a router. Only the response contains its key. Earlier certificates remain valid for 7 days.
     * @param csr PKCS #10, PEM: the router made its own key; undefined = a key is made
     * @throws DomainError `not_found`, `inventory.csr_invalid`
     */
    async issue(
      scope: MainScope,
      actor: Actor,
      routerId: string,
      { csr, days }: { readonly csr: string | undefined; readonly days: number },
    ): Promise<NewRouterCertificate> {
      if (!isId(routerId)) throw new DomainError('not_found');
      const { isNew, ...issued } = await database.write(async (tx) => {
        const now = clock.now();
        const router = required((await lockRouters(tx, scope, [routerId]))[0], 'not_found');
        const authority = await openAuthority(tx, scope, now);
        const { serial, endpoint_id: endpointId } = router;
        const issued = await issueCertificate(authority, { serial, endpointId, days }, csr, now);
        const id = newId(now.getTime());
        await insertCertificate(
          tx,
          scope,
          { ...issued, id, routerId, endpointId },
          now,
          new Date(now.getTime() + CERTIFICATE_OVERLAP_MS),
        );
        await record(
          tx,
          scope,
          actor,
          sentence('router.certificate_issued', serial),
          { routerId, serial, certificate: issued },
          now,
        );
        return { ...issued, id, authority: authority.certificate, isNew: authority.isNew };
      });
      if (isNew) authorityAdded();
      return issued;
    },

    /**
     * Revoke a certificate and close the router's connection.
     * @throws DomainError `not_found`, also for one that was revoked before
     */
    async revoke(scope: MainScope, actor: Actor, routerId: string, id: string): Promise<CertificateRow> {
      if (!isId(routerId) || !isId(id)) throw new DomainError('not_found');
      const revoked = await database.write(async (tx) => {
        const now = clock.now();
        const router = required((await lockRouters(tx, scope, [routerId]))[0], 'not_found');
        const row = required(await revokeCertificate(tx, scope, routerId, id, now), 'not_found');
        const certificate = { serialNumber: row.serial_number, expiresAt: row.expires_at };
        const { serial } = router;
        await record(tx, scope, actor, sentence('router.certificate_revoked', serial), { routerId, serial, certificate }, now);
        return row;
      });
      deviceLink.disconnect([routerId], 'A certificate of this router was revoked.');
      return revoked;
    },
  };
}

function opened(sealing: Sealing, scope: MainScope, { certificate, sealed_key: sealed }: AuthorityRow): Authority {
  return { certificate, key: sealing.open(scope.mainAccountId, sealed) };
}

interface Subject {
  readonly routerId: string;
  readonly serial: string;
  readonly certificate: Pick<IssuedCertificate, 'serialNumber' | 'expiresAt'>;
}

async function record(
  tx: Tx,
  scope: MainScope,
  actor: Actor,
  action: AuditAction,
  { routerId, serial, certificate }: Subject,
  now: Date,
): Promise<void> {
  await announce(tx, scope, 'inventory', [routerId]);
  const detail = { serial, certificate: certificate.serialNumber, expires: certificate.expiresAt.toISOString() };
  await recordAudit(tx, scope.mainAccountId, actor, { action, subject: { kind: 'router', id: routerId }, detail }, now);
}

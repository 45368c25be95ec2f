import type { RejectionReason } from '@highline/contract';
import { sql } from 'kysely';
import type { Queries } from '../../../platform/ports/database.ts';
import { nextEpoch, reportedColumns, type AdmittedRouter } from '../admission.ts';

/** The certificate of a router's TLS handshake, in which it also proved that it has the key. */
export interface PresentedCertificate {
  /** SHA-256 of its DER. */
  readonly fingerprint: Buffer;
  /**
   * The endpoint id in a certificate of the operator's own authorities (TLS_CLIENT_CA_FILE); undefined for any other certificate.
   */
  readonly trustedEndpointId: string | undefined;
  /** Whether it is valid now, by our clock. */
  readonly isCurrent: boolean;
}

/** The router of a certificate, and why the certificate is invalid, if it is. */
export interface CertifiedRouter {
  readonly router: AdmittedRouter;
  /** If it was issued here. */
  readonly certificateId: string | undefined;
  readonly fault: Extract<RejectionReason, `certificate-${string}`> | undefined;
}

interface Row extends AdmittedRouter {
  readonly fingerprint: Buffer;
  readonly certificateId: string;
  readonly certifiedEndpointId: string;
  readonly isRevoked: boolean;
  readonly isOver: boolean;
}

const routerColumns = sql`r.id as "routerId", r.organization_id as "organizationId", r.endpoint_id as "endpointId", r.serial,
  r.authentication, r.clock_skew_ms as "clockSkewMs", ${reportedColumns}, ${nextEpoch} as "connectionEpoch"`;

/**
 * Look up many certificates at once: those issued here by their fingerprint, those of the operator's authorities by their
 * endpoint id. There is no scope: the certificate proves which router this is.
 * @returns by the fingerprint in hex; an unknown certificate is missing
 */
export async function admitCertificates(
  queries: Queries,
  certificates: readonly PresentedCertificate[],
  now: Date,
): Promise<ReadonlyMap<string, CertifiedRouter>> {
  const found = new Map<string, CertifiedRouter>();
  if (certificates.length === 0) return found;
  const prints = certificates.map(({ fingerprint }) => fingerprint);
  const issued = await sql<Row>`
    select ${routerColumns}, c.fingerprint, c.id as "certificateId", c.endpoint_id as "certifiedEndpointId",
      c.revoked_at is not null as "isRevoked",
      least(c.expires_at, coalesce(c.retires_at, c.expires_at)) <= ${now}::timestamptz as "isOver"
    from router_certificates c join routers r on r.id = c.router_id
    where c.fingerprint = any (${prints}::bytea[])`.execute(queries);
  for (const row of issued.rows) {
    const { certificateId } = row;
    found.set(row.fingerprint.toString('hex'), { router: routerOf(row), certificateId, fault: faultOf(row) });
  }
  for (const [print, certified] of await findTrusted(queries, certificates)) if (!found.has(print)) found.set(print, certified);
  return found;
}

function routerOf({
  routerId,
  organizationId,
  endpointId,
  serial,
  authentication,
  clockSkewMs,
  primary,
  euicc,
  connectionEpoch,
}: Row): AdmittedRouter {
  return { routerId, organizationId, endpointId, serial, authentication, clockSkewMs, primary, euicc, connectionEpoch };
}

function faultOf(row: Row): CertifiedRouter['fault'] {
  if (row.isRevoked) return 'certificate-revoked';
  if (row.isOver) return 'certificate-expired';
  return row.certifiedEndpointId === row.endpointId ? undefined : 'certificate-endpoint';
}

async function findTrusted(
  queries: Queries,
  certificates: readonly PresentedCertificate[],
): Promise<(readonly [string, CertifiedRouter])[]> {
  const ids = certificates.flatMap(({ trustedEndpointId: id }) => (id === undefined ? [] : [id]));
  if (ids.length === 0) return [];
  const { rows } = await sql<AdmittedRouter>`
    select ${routerColumns} from routers r where r.endpoint_id = any (${ids}::text[])`.execute(queries);
  const routers = new Map(rows.map((router) => [router.endpointId, router]));
  return certificates.flatMap(({ fingerprint, trustedEndpointId, isCurrent }) => {
    const router = routers.get(trustedEndpointId ?? '');
    if (router === undefined) return [];
    const fault = isCurrent ? undefined : 'certificate-expired';
    return [[fingerprint.toString('hex'), { router, certificateId: undefined, fault }] as const];
  });
}

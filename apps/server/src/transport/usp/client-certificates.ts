import { X509Certificate } from 'node:crypto';
import type { Duplex } from 'node:stream';
import { TLSSocket } from 'node:tls';
import type { PresentedCertificate } from '../../domains/inventory/index.ts';

const CLIENT_AUTH = '1.3.6.1.5.5.7.3.2';

/** Reads the certificate that a client presented in its TLS handshake. Undefined: none, or a proxy terminated TLS. */
export type CertificateReader = (socket: Duplex) => PresentedCertificate | undefined;

/** What the inventory reads in a certificate. */
export interface CertificateFields {
  readonly fingerprintOf: (certificate: X509Certificate) => Buffer;
  readonly endpointIdsOf: (certificate: X509Certificate) => readonly string[];
}

/**
 * TLS proves that the client holds the key of its certificate. The issuer is checked here, so that one listener serves browsers
 * without certificates and routers with them. Headers are never read: a client can write anything into them.
 * @param trusted the operator's own authorities; a certificate must be signed by one of them directly
 */
export function createCertificateReader(trusted: () => readonly X509Certificate[], fields: CertificateFields): CertificateReader {
  return (socket) => {
    if (!(socket instanceof TLSSocket)) return undefined;
    const certificate = socket.getPeerX509Certificate();
    return certificate === undefined ? undefined : readCertificate(certificate, trusted(), fields, Date.now());
  };
}

function readCertificate(
  certificate: X509Certificate,
  trusted: readonly X509Certificate[],
  { fingerprintOf, endpointIdsOf }: CertificateFields,
  now: number,
): PresentedCertificate {
  const current = trusted.filter((issuer) => isCurrent(issuer, now));
  const ids = isTrusted(certificate, current) ? endpointIdsOf(certificate) : [];
  return {
    fingerprint: fingerprintOf(certificate),
    trustedEndpointId: ids.length === 1 ? ids[0] : undefined,
    isCurrent: isCurrent(certificate, now),
  };
}

/** An expired authority vouches for nothing, also where it expired after it was loaded. */
function isCurrent({ validFromDate, validToDate }: X509Certificate, now: number): boolean {
  return validFromDate.getTime() <= now && now < validToDate.getTime();
}

function isTrusted(certificate: X509Certificate, trusted: readonly X509Certificate[]): boolean {
  // `keyUsage` is the extended key usage; a certificate without one is valid for every use (RFC 5280, 4.2.1.12).
  const usages = certificate.keyUsage as readonly string[] | undefined;
  return (usages?.includes(CLIENT_AUTH) ?? true) && trusted.some((issuer) => isSignedBy(certificate, issuer));
}

function isSignedBy(certificate: X509Certificate, issuer: X509Certificate): boolean {
  try {
    return issuer.ca && certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
  } catch {
    // This version of OpenSSL does not know the kind of key.
    return false;
  }
}

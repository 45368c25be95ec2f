import { X509Certificate } from 'node:crypto';
import type { Duplex } from 'node:stream';
import { TLSSocket } from 'node:tls';
import { endpointIdsOf, fingerprintOf, type PresentedCertificate } from '../../domains/inventory/index.ts';

const CLIENT_AUTH = '1.3.6.1.5.5.7.3.2';

/** Reads the certificate that a client presented in its TLS handshake. Undefined: none, or a proxy terminated TLS. */
export type CertificateReader = (socket: Duplex) => PresentedCertificate | undefined;

/**
 * TLS proves that the client holds the key of its certificate. The issuer is checked here, so that one listener serves browsers
 * without certificates and routers with them. Headers are never read: a client can write anything into them.
 * @param trusted the operator's own authorities; a certificate must be signed by one of them directly
 */
export function createCertificateReader(trusted: () => readonly X509Certificate[]): CertificateReader {
  return (socket) => {
    if (!(socket instanceof TLSSocket)) return undefined;
    const certificate = socket.getPeerX509Certificate();
    return certificate === undefined ? undefined : readCertificate(certificate, trusted(), Date.now());
  };
}

function readCertificate(certificate: X509Certificate, trusted: readonly X509Certificate[], now: number): PresentedCertificate {
  return {
    fingerprint: fingerprintOf(certificate),
    trustedEndpointId: trustedEndpointId(certificate, trusted),
    isCurrent: certificate.validFromDate.getTime() <= now && now < certificate.validToDate.getTime(),
  };
}

function trustedEndpointId(certificate: X509Certificate, trusted: readonly X509Certificate[]): string | undefined {
  // `keyUsage` is the extended key usage; a certificate without one is valid for every use (RFC 5280, 4.2.1.12).
  const usages = certificate.keyUsage as readonly string[] | undefined;
  if (usages !== undefined && !usages.includes(CLIENT_AUTH)) return undefined;
  if (!trusted.some((issuer) => isSignedBy(certificate, issuer))) return undefined;
  const ids = endpointIdsOf(certificate);
  return ids.length === 1 ? ids[0] : undefined;
}

function isSignedBy(certificate: X509Certificate, issuer: X509Certificate): boolean {
  try {
    return issuer.ca && certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
  } catch {
    // This version of OpenSSL does not know the kind of key.
    return false;
  }
}

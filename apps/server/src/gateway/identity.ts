import type { RejectionReason } from '@highline/contract';
import type { AdmittedRouter, CertifiedRouter } from '../domains/inventory/index.ts';

/** What was found for the credentials of one connection. */
export interface Credentials {
  /** Whose secret it is. */
  readonly bySecret: AdmittedRouter | undefined;
  /** Whose certificate it is. */
  readonly byCertificate: CertifiedRouter | undefined;
  readonly hasSecret: boolean;
  readonly hasCertificate: boolean;
}

/** Who connects, and why it is rejected all the same; undefined = no router that we know. */
export interface Identity {
  readonly router: AdmittedRouter;
  readonly fault: RejectionReason | undefined;
}

/**
 * Decide whose connection it is. A secret names its router; without one the certificate does. Whether that is enough says the router's
 * own setting: secret, certificate, either or both.
 */
export function identify(credentials: Credentials): Identity | undefined {
  const { bySecret, byCertificate, hasSecret } = credentials;
  const router = hasSecret ? bySecret : byCertificate?.router;
  if (router === undefined) return undefined;
  const certificate = certificateFault(credentials, router);
  const certificateId = certificate === undefined ? byCertificate?.certificateId : undefined;
  const fault = faultOf(router, hasSecret, certificate);
  return { router: fault === undefined && certificateId !== undefined ? { ...router, certificateId } : router, fault };
}

function faultOf(
  { authentication }: AdmittedRouter,
  hasSecret: boolean,
  certificate: RejectionReason | undefined,
): RejectionReason | undefined {
  switch (authentication) {
    case 'secret':
      return hasSecret ? undefined : 'secret-missing';
    case 'either':
      return hasSecret ? undefined : certificate;
    case 'certificate':
      return certificate;
    case 'both':
      return hasSecret ? certificate : 'secret-missing';
  }
}

/** Why the certificate does not prove that it is this router; undefined = it does. */
function certificateFault({ byCertificate, hasCertificate }: Credentials, router: AdmittedRouter): RejectionReason | undefined {
  if (!hasCertificate) return 'certificate-missing';
  if (byCertificate === undefined || byCertificate.router.routerId !== router.routerId) return 'certificate-other';
  return byCertificate.fault;
}

import type { RejectionReason } from '@highline/contract';
import type { AdmittedRouter, CertifiedRouter } from '../../domains/inventory/index.ts';

/** Lookup results for the credentials of one connection. */
export interface Credentials {
  /** Router that the secret belongs to. */
  readonly bySecret: AdmittedRouter | undefined;
  /** Router that the certificate belongs to. */
  readonly byCertificate: CertifiedRouter | undefined;
  readonly hasCertificate: boolean;
}

/** The identified router and, if it is rejected, why; undefined = no known router. */
export interface Identity {
  readonly router: AdmittedRouter;
  readonly fault: RejectionReason | undefined;
}

/**
 * Identify the router of a connection: by its secret, else by its certificate; a secret that no router has any more hides no
 * certificate. The router's own setting decides what it must present: secret, certificate, either or both.
 */
export function identify(credentials: Credentials): Identity | undefined {
  const { bySecret, byCertificate } = credentials;
  const router = bySecret ?? byCertificate?.router;
  if (router === undefined) return undefined;
  const certificate = certificateFault(credentials, router);
  const certificateId = certificate === undefined ? byCertificate?.certificateId : undefined;
  const fault = faultOf(router, bySecret !== undefined, certificate);
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

/** Why the certificate does not prove this router's identity; undefined = it does. */
function certificateFault({ byCertificate, hasCertificate }: Credentials, router: AdmittedRouter): RejectionReason | undefined {
  if (!hasCertificate) return 'certificate-missing';
  if (byCertificate === undefined || byCertificate.router.routerId !== router.routerId) return 'certificate-other';
  return byCertificate.fault;
}

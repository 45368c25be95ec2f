import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext, getCACertificates } from 'node:tls';

/** Paths of the listener's files (settings TLS_CERT_FILE, TLS_KEY_FILE, TLS_CLIENT_CA_FILE). */
export interface TlsFiles {
  readonly certFile: string;
  readonly keyFile: string;
  readonly clientCaFile?: string;
}

/** Contents of the listener's files. */
export interface TlsMaterial {
  readonly cert: string;
  readonly key: string;
  /** Certificates of the operator's own authorities. */
  readonly clientCas: readonly X509Certificate[];
}

/** Read and check the files. @throws Error when they cannot be read or used together */
export function readTlsFiles({ certFile, keyFile, clientCaFile }: TlsFiles): TlsMaterial {
  const [cert, key] = [readFileSync(certFile, 'utf8'), readFileSync(keyFile, 'utf8')];
  const chain = certificatesOf(cert);
  const own = createPrivateKey(key);
  if (chain[0]?.checkPrivateKey(own) === false)
    throw new Error(
      chain.some((each) => each.checkPrivateKey(own))
        ? 'its certificates are in the wrong order: that of the server comes first, then the one that signed it, and so on'
        : 'certificate and key do not belong together',
    );
  // Empty files would create a context without a certificate.
  createSecureContext({
    cert: new X509Certificate(cert).toString(),
    key: createPrivateKey(key).export({ type: 'pkcs8', format: 'pem' }),
  });
  return { cert, key, clientCas: clientCaFile === undefined ? [] : readClientCas(readFileSync(clientCaFile, 'utf8')) };
}

/** How long before its end a certificate is warned of. */
const SOON_MS = 14 * 86_400_000;

/** What is wrong with the certificates of a listener for some of its clients, one sentence each; the server starts nevertheless. */
export function certificateWarnings(cert: string, now: Date): string[] {
  const chain = certificatesOf(cert);
  const dates = chain.flatMap(({ subject, validFromDate, validToDate }) => {
    const name = nameOf(subject);
    if (validToDate <= now)
      return [`The certificate of ${name} expired on ${validToDate.toISOString()}: routers do not connect.`];
    if (validFromDate > now) return [`The certificate of ${name} is valid only from ${validFromDate.toISOString()}.`];
    return validToDate.getTime() - now.getTime() < SOON_MS
      ? [`The certificate of ${name} expires on ${validToDate.toISOString()}.`]
      : [];
  });
  const unsigned = chain.findIndex((each, n) => chain[n + 1] !== undefined && !each.checkIssued(chain[n + 1]!));
  if (unsigned !== -1)
    return [
      ...dates,
      `The certificate of ${nameOf(chain[unsigned]!.subject)} is followed by one that did not sign it: after each comes that of its issuer, here ${nameOf(chain[unsigned]!.issuer)}.`,
    ];
  const last = chain.at(-1);
  if (last === undefined || last.issuer === last.subject || isKnownRoot(last.issuer)) return dates;
  return [
    ...dates,
    `The certificate of the issuer, ${nameOf(last.issuer)}, is not in the file. Browsers may find it elsewhere, routers do not: add it, unless it is an authority that all of them trust.`,
  ];
}

/** When the first of them expires, seconds since 1970. */
export function findFirstExpiry(certificates: readonly X509Certificate[]): number {
  return Math.min(...certificates.map(({ validToDate }) => validToDate.getTime())) / 1_000;
}

/** Of the programs' own authorities, and NODE_EXTRA_CA_CERTS. */
function isKnownRoot(name: string): boolean {
  return getCACertificates('default').some((pem) => new X509Certificate(pem).subject === name);
}

/** The common name of a distinguished name, else all of it in a line. */
function nameOf(distinguished: string): string {
  return /^CN=(.+)$/mu.exec(distinguished)?.[1] ?? distinguished.replaceAll('\n', ', ');
}

/** The certificates of a PEM text, in its order. */
export function certificatesOf(text: string): X509Certificate[] {
  return (text.match(PEM) ?? []).map((pem) => new X509Certificate(pem));
}

const PEM = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/gu;

/** The certificates of a PEM file. @throws Error when it contains none, or one that is not an authority */
export function readClientCas(text: string): X509Certificate[] {
  const certificates = certificatesOf(text);
  if (certificates.length === 0) throw new Error('it contains no certificate');
  const other = certificates.find(({ ca }) => !ca);
  if (other !== undefined) throw new Error(`${other.subject} is not the certificate of an authority`);
  return certificates;
}

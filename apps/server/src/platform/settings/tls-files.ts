import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';

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
  // Empty files would create a context without a certificate.
  createSecureContext({
    cert: new X509Certificate(cert).toString(),
    key: createPrivateKey(key).export({ type: 'pkcs8', format: 'pem' }),
  });
  return { cert, key, clientCas: clientCaFile === undefined ? [] : readClientCas(readFileSync(clientCaFile, 'utf8')) };
}

const PEM = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/gu;

/** The certificates of a PEM file. @throws Error when it contains none, or one that is not an authority */
export function readClientCas(text: string): X509Certificate[] {
  const certificates = (text.match(PEM) ?? []).map((pem) => new X509Certificate(pem));
  if (certificates.length === 0) throw new Error('it contains no certificate');
  const other = certificates.find(({ ca }) => !ca);
  if (other !== undefined) throw new Error(`${other.subject} is not the certificate of an authority`);
  return certificates;
}

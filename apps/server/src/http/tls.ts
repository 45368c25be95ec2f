import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Server } from 'node:https';
import { createSecureContext, type SecureContextOptions } from 'node:tls';
import type { Log } from '../ports/log.ts';

/** Where the files of the listener are (settings TLS_CERT_FILE, TLS_KEY_FILE, TLS_CLIENT_CA_FILE). */
export interface TlsFiles {
  readonly certFile: string;
  readonly keyFile: string;
  readonly clientCaFile?: string;
}

/** The files of a listener as they stand. */
export interface TlsMaterial {
  readonly cert: string;
  readonly key: string;
  /** Certificates of the operator's own authorities. */
  readonly clientCas: readonly X509Certificate[];
}

/** Read and check the files. @throws Error where they cannot be read or used together */
export function readTlsFiles({ certFile, keyFile, clientCaFile }: TlsFiles): TlsMaterial {
  const [cert, key] = [readFileSync(certFile, 'utf8'), readFileSync(keyFile, 'utf8')];
  // Empty files would make a context without a certificate.
  createSecureContext({
    cert: new X509Certificate(cert).toString(),
    key: createPrivateKey(key).export({ type: 'pkcs8', format: 'pem' }),
  });
  return { cert, key, clientCas: clientCaFile === undefined ? [] : readClientCas(readFileSync(clientCaFile, 'utf8')) };
}

const PEM = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/gu;

/** The certificates of a PEM file. @throws Error where it holds none, or one that is no authority's */
export function readClientCas(text: string): X509Certificate[] {
  const certificates = (text.match(PEM) ?? []).map((pem) => new X509Certificate(pem));
  if (certificates.length === 0) throw new Error('there is no certificate in it');
  const other = certificates.find(({ ca }) => !ca);
  if (other !== undefined) throw new Error(`${other.subject} is not the certificate of an authority`);
  return certificates;
}

/** With an empty list browsers would offer every certificate they have; ours is the name of an authority that none of them was issued by. */
function namesOf(cert: string, authorities: readonly string[]): string[] {
  return authorities.length === 0 ? [cert] : [...authorities];
}

/** The TLS of our own listener, whose files are read again without a restart. */
export interface ListenerTls {
  /** For `https.createServer`. */
  readonly options: SecureContextOptions & { readonly requestCert: boolean; readonly rejectUnauthorized: boolean };
  readonly clientCas: () => readonly X509Certificate[];
  /** Read the files and the authorities again; connections stay. Where that fails, what was in use stays, and a line says why. */
  reload(server: Server): Promise<void>;
}

/**
 * TLS that asks clients for a certificate and lets them in without one. The names of the authorities tell a client which certificate is
 * meant: a browser that has none of them does not bother its user.
 * @param listAuthorities certificates of the main accounts' authorities, PEM
 */
export async function openListenerTls(
  files: TlsFiles,
  listAuthorities: () => Promise<readonly string[]>,
  log: Log,
): Promise<ListenerTls> {
  let material = readTlsFiles(files);
  const contextOf = async ({ cert, key, clientCas }: TlsMaterial) => ({
    cert,
    key,
    ca: namesOf(cert, [...clientCas.map(String), ...(await listAuthorities())]),
  });
  return {
    options: { ...(await contextOf(material)), requestCert: true, rejectUnauthorized: false },
    clientCas: () => material.clientCas,
    async reload(server) {
      try {
        const read = readTlsFiles(files);
        server.setSecureContext(await contextOf(read));
        material = read;
        log.info({ file: files.certFile, expires: new X509Certificate(read.cert).validTo }, 'The TLS files were read again.');
      } catch (error) {
        log.error({ err: error, file: files.certFile }, 'The TLS files cannot be used; those read before stay in use.');
      }
    },
  };
}

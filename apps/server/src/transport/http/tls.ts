import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Server } from 'node:https';
import { createSecureContext, type SecureContextOptions } from 'node:tls';
import type { Log } from '../../platform/ports/log.ts';

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

/**
 * With an empty list browsers would offer every certificate they have; send the name of an authority that issued none of them.
 */
function namesOf(cert: string, authorities: readonly string[]): string[] {
  return authorities.length === 0 ? [cert] : [...authorities];
}

/** The TLS of our own listener; its files can be reloaded without a restart. */
export interface ListenerTls {
  /** For `https.createServer`. */
  readonly options: SecureContextOptions & { readonly requestCert: boolean; readonly rejectUnauthorized: boolean };
  readonly clientCas: () => readonly X509Certificate[];
  /** Reload the files and the authorities; connections stay. If that fails, keep the current ones and log the reason. */
  reload(server: Server): Promise<void>;
}

/**
 * TLS that requests a client certificate and also accepts clients without one. The names of the authorities tell a client which
 * certificate is meant: a browser without a matching one does not prompt its user.
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
        log.info({ file: files.certFile, expires: new X509Certificate(read.cert).validTo }, 'TLS files reloaded.');
      } catch (error) {
        log.error({ err: error, file: files.certFile }, 'TLS files are invalid; the previous ones stay in use.');
      }
    },
  };
}

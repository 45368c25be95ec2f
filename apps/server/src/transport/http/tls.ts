import { X509Certificate } from 'node:crypto';
import type { Server } from 'node:https';
import type { SecureContextOptions } from 'node:tls';
import { isDeepStrictEqual } from 'node:util';
import type { Job } from '../../platform/jobs/runner.ts';
import type { Log } from '../../platform/ports/log.ts';
import {
  certificatesOf,
  certificateWarnings,
  findFirstExpiry,
  readTlsFiles,
  type TlsFiles,
  type TlsMaterial,
} from '../../platform/settings/tls-files.ts';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/**
 * With an empty list browsers would offer every certificate they have; send the name of an authority that issued none of them.
 */
function namesOf(cert: string, authorities: readonly string[]): string[] {
  return authorities.length === 0 ? [cert] : [...authorities];
}

/** Routers that connect now with a certificate of such an authority are rejected, so its operator has to know. */
function warnOfExpired({ clientCas }: TlsMaterial, { clientCaFile: file }: TlsFiles, log: Log, now: Date): void {
  for (const { subject, validFrom, validTo, validFromDate, validToDate } of clientCas)
    if (validToDate <= now || validFromDate > now)
      log.warn(
        { file, authority: subject, validFrom, expires: validTo },
        'TLS_CLIENT_CA_FILE names an authority that has expired or is not valid yet; certificates of it are rejected. Replace it.',
      );
}

/** Those of Mozilla's "intermediate" that need no parameters of our own: each has forward secrecy, none CBC. */
const CIPHERS = [
  'TLS_AES_128_GCM_SHA256',
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  ...['AES128-GCM-SHA256', 'AES256-GCM-SHA384', 'CHACHA20-POLY1305'].flatMap((cipher) => [
    `ECDHE-ECDSA-${cipher}`,
    `ECDHE-RSA-${cipher}`,
  ]),
].join(':');

/** The TLS of our own listener; its files can be reloaded without a restart. */
export interface ListenerTls {
  /** For `https.createServer`. */
  readonly options: SecureContextOptions & { readonly requestCert: boolean; readonly rejectUnauthorized: boolean };
  readonly clientCas: () => readonly X509Certificate[];
  /** Reload the files and the authorities; connections stay. If that fails, keep the current ones and log the reason. */
  reload(server: Server): Promise<void>;
  /**
   * Warn each day, as at the start, of certificates in use that have expired or soon will; and each minute name the authorities that another process
   * has added.
   */
  jobs(server: Pick<Server, 'setSecureContext'>): readonly Job[];
  /** When the first certificate of each file expires, seconds since 1970, by the setting that names the file. */
  expiries(): Readonly<Record<string, number>>;
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
  let authorities = await listAuthorities();
  const warn = (now: Date) => {
    warnOfExpired(material, files, log, now);
    for (const sentence of certificateWarnings(material.cert, now)) log.warn({ file: files.certFile }, sentence);
  };
  warn(new Date());
  const contextOf = ({ cert, key, clientCas }: TlsMaterial) => ({
    minVersion: 'TLSv1.2' as const,
    ciphers: CIPHERS,
    cert,
    key,
    ca: namesOf(cert, [...clientCas.map(String), ...authorities]),
  });
  return {
    options: { ...contextOf(material), requestCert: true, rejectUnauthorized: false },
    clientCas: () => material.clientCas,
    async reload(server) {
      try {
        const read = readTlsFiles(files);
        authorities = await listAuthorities();
        server.setSecureContext(contextOf(read));
        material = read;
        log.info({ file: files.certFile, expires: new X509Certificate(read.cert).validTo }, 'TLS files reloaded.');
        warn(new Date());
      } catch (error) {
        log.error({ err: error, file: files.certFile }, 'TLS files are invalid; the previous ones stay in use.');
      }
    },
    jobs: (server) => [
      // Whether the clock of PostgreSQL agrees does not matter to it.
      { name: 'certificates', everyMs: DAY_MS, deletes: false, run: async (now) => warn(now) },
      {
        name: 'client authorities',
        everyMs: MINUTE_MS,
        async run() {
          const now = await listAuthorities();
          if (isDeepStrictEqual(now, authorities)) return;
          authorities = now;
          server.setSecureContext(contextOf(material));
        },
      },
    ],
    expiries: () => ({
      TLS_CERT_FILE: findFirstExpiry(certificatesOf(material.cert)),
      ...(material.clientCas.length > 0 && { TLS_CLIENT_CA_FILE: findFirstExpiry(material.clientCas) }),
    }),
  };
}

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import 'reflect-metadata';
import {
  BasicConstraintsExtension,
  cryptoProvider,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  Pkcs10CertificateRequestGenerator,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
} from '@peculiar/x509';

cryptoProvider.set(globalThis.crypto);
const { subtle } = globalThis.crypto;
type Key = Parameters<typeof subtle.exportKey>[1];

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const DAY_MS = 86_400_000;

/** A certificate with its key, both PEM. */
export interface TestCertificate {
  readonly cert: string;
  readonly key: string;
}

export interface LeafOptions {
  readonly endpointId?: string;
  /** Validity in days from now. */
  readonly from?: number;
  readonly until?: number;
  readonly isServer?: boolean;
}

/** An authority created by a test: of an operator, or of an attacker. */
export interface TestAuthority {
  readonly cert: string;
  issue(options: LeafOptions): Promise<TestCertificate>;
}

const createKeys = () => subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);

async function pemOf(key: Key): Promise<string> {
  const text = Buffer.from(await subtle.exportKey('pkcs8', key)).toString('base64');
  return `-----BEGIN PRIVATE KEY-----\n${text}\n-----END PRIVATE KEY-----\n`;
}

/** Create an authority. @param name its common name @param until days from now until which it is valid */
export async function createTestAuthority(name: string, until = 1_000): Promise<TestAuthority> {
  const keys = await createKeys();
  const at = (days: number) => new Date(Date.now() + days * DAY_MS);
  const authority = await X509CertificateGenerator.createSelfSigned({
    name: [{ CN: [name] }],
    notBefore: at(-1_000),
    notAfter: at(until),
    keys,
    signingAlgorithm: ALGORITHM,
    extensions: [new BasicConstraintsExtension(true, 0, true)],
  });
  return {
    cert: authority.toString('pem'),
    async issue({ endpointId, from = -1, until = 365, isServer = false }) {
      const own = await createKeys();
      const issued = await X509CertificateGenerator.create({
        subject: [{ CN: [isServer ? '127.0.0.1' : 'router'] }],
        issuer: authority.subjectName,
        notBefore: at(from),
        notAfter: at(until),
        publicKey: own.publicKey,
        signingKey: keys.privateKey,
        signingAlgorithm: ALGORITHM,
        extensions: [
          new ExtendedKeyUsageExtension([isServer ? ExtendedKeyUsage.serverAuth : ExtendedKeyUsage.clientAuth]),
          new SubjectAlternativeNameExtension(
            isServer
              ? [
                  { type: 'ip', value: '127.0.0.1' },
                  { type: 'dns', value: 'localhost' },
                ]
              : [{ type: 'url', value: `urn:bbf:usp:id:${endpointId}` }],
          ),
        ],
      });
      return { cert: issued.toString('pem'), key: await pemOf(own.privateKey) };
    },
  };
}

/** A certificate request (PKCS #10) with its key. */
export async function createRequest(): Promise<{ readonly csr: string; readonly key: string }> {
  const keys = await createKeys();
  const request = await Pkcs10CertificateRequestGenerator.create({
    name: [{ CN: ['another router'] }],
    keys,
    signingAlgorithm: ALGORITHM,
  });
  return { csr: request.toString('pem'), key: await pemOf(keys.privateKey) };
}

const folders: string[] = [];

function makeFolder(): string {
  if (folders.length === 0)
    process.once('exit', () => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })));
  const folder = mkdtempSync(join(tmpdir(), 'highline-pem-'));
  folders.push(folder);
  return folder;
}

/** Write PEM texts into files of a new folder, by their names. They stay until the process or worker ends. */
export function writePems<Name extends string>(texts: Readonly<Record<Name, string>>): Record<Name, string> {
  const folder = makeFolder();
  const files = Object.entries<string>(texts).map(([name, text]) => {
    const path = join(folder, `${name}.pem`);
    writeFileSync(path, text);
    return [name, path] as const;
  });
  return Object.fromEntries(files) as Record<Name, string>;
}

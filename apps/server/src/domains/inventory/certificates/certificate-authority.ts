// The library needs it before it is loaded.
import 'reflect-metadata';
import { createHash, randomBytes, X509Certificate } from 'node:crypto';
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  cryptoProvider,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  Pkcs10CertificateRequest,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  X509Certificate as Certificate,
  X509CertificateGenerator,
  type PublicKey,
} from '@peculiar/x509';
import { DomainError } from '../../../kernel/failure.ts';

cryptoProvider.set(globalThis.crypto);
const { subtle } = globalThis.crypto;
type Key = Parameters<typeof subtle.exportKey>[1];

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const DAY_MS = 86_400_000;
/** The lifetime of an authority, in days. */
const AUTHORITY_DAYS = 20 * 365;
/** A router's clock may be behind ours. */
const BACKDATED_MS = 3_600_000;
/** The fewest bits of an RSA key that gets a certificate. */
const RSA_BITS = 2_048;
const CURVES: ReadonlySet<string> = new Set(['P-256', 'P-384', 'P-521']);

/** A certificate authority with its private key. */
export interface Authority {
  /** PEM. */
  readonly certificate: string;
  /** PKCS #8, DER. */
  readonly key: Uint8Array;
}

/** A client certificate for one router. */
export interface IssuedCertificate {
  /** PEM. */
  readonly certificate: string;
  /** PEM, PKCS #8; undefined if the router made its own key and sent a request. */
  readonly key: string | undefined;
  readonly serialNumber: string;
  readonly fingerprint: Buffer;
  readonly subject: string;
  readonly expiresAt: Date;
}

/** The subject of a certificate. */
export interface CertificateSubject {
  /** The router's serial number: the common name. */
  readonly serial: string;
  /** Becomes the subject alternative name, `urn:bbf:usp:id:<endpoint id>` (TR-369, certificates of endpoints). */
  readonly endpointId: string;
  readonly days: number;
}

/** Create an authority: EC P-256, for client certificates of one main account only. */
export async function createAuthority(mainAccountId: string, now: Date): Promise<Authority> {
  const keys = await createKeys();
  const certificate = await X509CertificateGenerator.createSelfSigned({
    serialNumber: newSerialNumber(),
    name: [{ CN: [`Highline routers ${mainAccountId}`] }],
    notBefore: new Date(now.getTime() - BACKDATED_MS),
    notAfter: new Date(now.getTime() + AUTHORITY_DAYS * DAY_MS),
    keys,
    signingAlgorithm: ALGORITHM,
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  const key = new Uint8Array(await subtle.exportKey('pkcs8', keys.privateKey));
  return { certificate: pemOf(certificate), key };
}

/**
 * Issue a client certificate. Only the public key of a request is used; the subject comes from the inventory.
 * @param csr PKCS #10, PEM; without it a key is made
 * @throws DomainError `inventory.csr_invalid`
 */
export async function issueCertificate(
  authority: Authority,
  { serial, endpointId, days }: CertificateSubject,
  csr: string | undefined,
  now: Date,
): Promise<IssuedCertificate> {
  const keys = csr === undefined ? await createKeys() : undefined;
  const publicKey = csr === undefined ? keys!.publicKey : await readRequest(csr);
  const issuer = new Certificate(authority.certificate);
  const expiresAt = new Date(now.getTime() + days * DAY_MS);
  const issued = await X509CertificateGenerator.create({
    serialNumber: newSerialNumber(),
    subject: [{ CN: [serial] }],
    issuer: issuer.subjectName,
    notBefore: new Date(now.getTime() - BACKDATED_MS),
    notAfter: expiresAt,
    publicKey,
    signingKey: await subtle.importKey('pkcs8', Buffer.from(authority.key), ALGORITHM, false, ['sign']),
    signingAlgorithm: ALGORITHM,
    extensions: [
      new BasicConstraintsExtension(false, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
      new ExtendedKeyUsageExtension([ExtendedKeyUsage.clientAuth]),
      new SubjectAlternativeNameExtension([{ type: 'url', value: `${ENDPOINT_URN}${endpointId}` }]),
      await AuthorityKeyIdentifierExtension.create(issuer),
    ],
  });
  const certificate = pemOf(issued);
  return {
    certificate,
    key: keys === undefined ? undefined : await pemOfKey(keys.privateKey),
    serialNumber: issued.serialNumber,
    fingerprint: fingerprintOf(new X509Certificate(certificate)),
    subject: issued.subject,
    expiresAt,
  };
}

/** Prefix of the subject alternative name of a USP endpoint's certificate. */
const ENDPOINT_URN = 'urn:bbf:usp:id:';

/** SHA-256 of a certificate's DER. */
export function fingerprintOf({ raw }: X509Certificate): Buffer {
  return createHash('sha256').update(raw).digest();
}

/** The endpoint ids in a certificate; a router's has exactly one. */
export function endpointIdsOf({ raw }: X509Certificate): string[] {
  const names = new Certificate(raw).getExtension(SubjectAlternativeNameExtension)?.names.toJSON() ?? [];
  return names.flatMap(({ type, value }) =>
    type === 'url' && value.startsWith(ENDPOINT_URN) ? [value.slice(ENDPOINT_URN.length)] : [],
  );
}

function createKeys() {
  return subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
}

/** 127 random bits, positive (RFC 5280, 4.1.2.2). */
function newSerialNumber(): string {
  const bytes = randomBytes(16);
  bytes[0] = (bytes[0]! & 0x3f) | 0x40;
  return bytes.toString('hex');
}

async function readRequest(csr: string): Promise<PublicKey> {
  try {
    const request = new Pkcs10CertificateRequest(csr);
    // The signature proves that the sender has the private key.
    if ((await request.verify()) && isStrong(request.publicKey)) return request.publicKey;
  } catch {
    // Neither PEM nor PKCS #10.
  }
  throw new DomainError('inventory.csr_invalid', { field: 'csr' });
}

function isStrong({ algorithm }: PublicKey): boolean {
  const { name, namedCurve, modulusLength } = algorithm as { name: string; namedCurve?: string; modulusLength?: number };
  if (namedCurve !== undefined) return name === 'ECDSA' && CURVES.has(namedCurve);
  return name.startsWith('RSA') && (modulusLength ?? 0) >= RSA_BITS;
}

/** A text file ends with a line break, so that two can be concatenated. */
function pemOf(certificate: Certificate): string {
  return `${certificate.toString('pem')}\n`;
}

async function pemOfKey(key: Key): Promise<string> {
  const text = Buffer.from(await subtle.exportKey('pkcs8', key)).toString('base64');
  return `-----BEGIN PRIVATE KEY-----\n${text.match(/.{1,64}/gu)!.join('\n')}\n-----END PRIVATE KEY-----\n`;
}

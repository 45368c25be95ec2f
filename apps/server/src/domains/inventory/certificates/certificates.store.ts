import { sql } from 'kysely';
import type { Queries, Tx, Row } from '../../../platform/ports/index.ts';
import type { MainScope } from '../../../kernel/scope.ts';
import type { IssuedCertificate } from './certificate-authority.ts';

/** A certificate that was issued for a router. */
export type CertificateRow = Row<
  'router_certificates',
  'id' | 'serial_number' | 'subject' | 'endpoint_id' | 'created_at' | 'expires_at' | 'retires_at' | 'revoked_at' | 'last_used_at'
>;

const columns = [
  'id',
  'serial_number',
  'subject',
  'endpoint_id',
  'created_at',
  'expires_at',
  'retires_at',
  'revoked_at',
  'last_used_at',
] as const;

/** How many certificates of a router are listed: the newest. */
const MOST_SHOWN = 50;

/** The newest certificates of a router, newest first. */
export async function listCertificates(queries: Queries, scope: MainScope, routerId: string): Promise<CertificateRow[]> {
  return queries
    .selectFrom('router_certificates')
    .select(columns)
    .where('main_account_id', '=', scope.mainAccountId)
    .where('router_id', '=', routerId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(MOST_SHOWN)
    .execute();
}

/** Whether a router has a valid certificate now. */
export async function hasCertificate(queries: Queries, scope: MainScope, routerId: string, now: Date): Promise<boolean> {
  const row = await queries
    .selectFrom('router_certificates')
    .select('id')
    .where('main_account_id', '=', scope.mainAccountId)
    .where('router_id', '=', routerId)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .where(({ eb, or }) => or([eb('retires_at', 'is', null), eb('retires_at', '>', now)]))
    .executeTakeFirst();
  return row !== undefined;
}

export interface NewCertificate extends IssuedCertificate {
  readonly id: string;
  readonly routerId: string;
  readonly endpointId: string;
}

/** Insert a new certificate; the earlier ones of the router are valid until `retiresAt`. */
export async function insertCertificate(
  tx: Tx,
  scope: MainScope,
  certificate: NewCertificate,
  now: Date,
  retiresAt: Date,
): Promise<void> {
  await tx
    .updateTable('router_certificates')
    .set({ retires_at: retiresAt })
    .where('main_account_id', '=', scope.mainAccountId)
    .where('router_id', '=', certificate.routerId)
    .where('retires_at', 'is', null)
    .execute();
  await tx
    .insertInto('router_certificates')
    .values({
      id: certificate.id,
      main_account_id: scope.mainAccountId,
      router_id: certificate.routerId,
      serial_number: certificate.serialNumber,
      fingerprint: certificate.fingerprint,
      subject: certificate.subject,
      endpoint_id: certificate.endpointId,
      created_at: now,
      expires_at: certificate.expiresAt,
    })
    .execute();
}

/** Revoke a certificate of a router. @returns it; undefined when it is unknown, or was revoked before */
export async function revokeCertificate(
  tx: Tx,
  scope: MainScope,
  routerId: string,
  id: string,
  now: Date,
): Promise<CertificateRow | undefined> {
  return tx
    .updateTable('router_certificates')
    .set({ revoked_at: now })
    .where('main_account_id', '=', scope.mainAccountId)
    .where('router_id', '=', routerId)
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .returning(columns)
    .executeTakeFirst();
}

/** A main account's authority as it is stored. */
export interface AuthorityRow {
  readonly certificate: string;
  readonly sealed_key: Buffer;
}

export async function findAuthority(queries: Queries, scope: MainScope): Promise<AuthorityRow | undefined> {
  return queries
    .selectFrom('main_account_cas')
    .select(['certificate', 'sealed_key'])
    .where('main_account_id', '=', scope.mainAccountId)
    .executeTakeFirst();
}

/** Insert a new authority unless a concurrent call did. @returns the stored one */
export async function keepAuthority(tx: Tx, scope: MainScope, authority: AuthorityRow, now: Date): Promise<AuthorityRow> {
  await sql`insert into main_account_cas (main_account_id, certificate, sealed_key, created_at)
    values (${scope.mainAccountId}::uuid, ${authority.certificate}, ${authority.sealed_key}, ${now}::timestamptz)
    on conflict do nothing`.execute(tx);
  return (await findAuthority(tx, scope))!;
}

/** Certificates of every main account's authority, PEM. */
export async function listAuthorities(queries: Queries): Promise<string[]> {
  const rows = await queries.selectFrom('main_account_cas').select('certificate').orderBy('main_account_id').execute();
  return rows.map(({ certificate }) => certificate);
}

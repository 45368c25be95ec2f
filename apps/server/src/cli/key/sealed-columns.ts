import type { KeyObject } from 'node:crypto';
import { createSecondFactorSealing } from '../../domains/accounts/index.ts';
import { createSeal } from '../../domains/configs/index.ts';
import { createCodeSeal } from '../../domains/esims/index.ts';
import { createAuthoritySealing } from '../../domains/inventory/index.ts';
import { createMailSealing } from '../../domains/mails/index.ts';
import { createSecretSealing } from '../../domains/webhooks/index.ts';
import type { Sealing } from '../../kernel/sealing.ts';
import { createKeySealing } from '../../platform/adapters/installation/keys.ts';
import { createAnswerSealing, sealContextOf } from '../../platform/idempotency/index.ts';

/** Values of the columns of a primary key, as text. */
export type Key = Readonly<Record<string, string>>;

/** A column with values that are sealed with the master key, each for its own row. */
export interface SealedColumn {
  readonly table: string;
  readonly column: string;
  /** Columns of the primary key, in its order, with their types. */
  readonly key: Readonly<Record<string, 'uuid' | 'text' | 'integer'>>;
  /** The same functions for each row: seal and open a value of it. */
  sealing(masterKey: KeyObject): { seal(row: Key, contents: Uint8Array): Buffer; open(row: Key, sealed: Uint8Array): Buffer };
}

/** A column whose values are sealed for the id in `of`. */
function sealedFor(
  table: string,
  column: string,
  key: SealedColumn['key'],
  of: string,
  create: (masterKey: KeyObject) => Sealing,
): SealedColumn {
  return {
    table,
    column,
    key,
    sealing(masterKey) {
      const { seal, open } = create(masterKey);
      return { seal: (row, contents) => seal(row[of]!, contents), open: (row, sealed) => open(row[of]!, sealed) };
    },
  };
}

/** Codes are text for their domain. */
function codeSealing(which: 'activation' | 'confirmation') {
  return (masterKey: KeyObject): Sealing => {
    const codes = createCodeSeal(masterKey);
    const { seal, open } = which === 'activation' ? codes : codes.confirmation;
    return {
      seal: (id, contents) => seal(id, Buffer.from(contents).toString('utf8')),
      open: (id, sealed) => Buffer.from(open(id, sealed), 'utf8'),
    };
  };
}

const profile = { organization_id: 'uuid', device_id: 'uuid', id: 'uuid' } as const;

/** Every such column. Answers of calls between processes are missing: they live for seconds, and a rotation deletes them. */
export const sealedColumns: readonly SealedColumn[] = [
  sealedFor('installation_keys', 'sealed', { purpose: 'text' }, 'purpose', createKeySealing),
  sealedFor('main_account_cas', 'sealed_key', { main_account_id: 'uuid' }, 'main_account_id', createAuthoritySealing),
  sealedFor('second_factors', 'sealed_secret', { account_id: 'uuid' }, 'account_id', createSecondFactorSealing),
  sealedFor('esim_profiles', 'sealed_code', profile, 'id', codeSealing('activation')),
  sealedFor('esim_profiles', 'sealed_confirmation', profile, 'id', codeSealing('confirmation')),
  sealedFor('webhook_endpoints', 'sealed_secret', { id: 'uuid' }, 'id', createSecretSealing),
  sealedFor('webhook_endpoints', 'previous_secret', { id: 'uuid' }, 'id', createSecretSealing),
  sealedFor('mails', 'sealed', { id: 'uuid' }, 'id', createMailSealing),
  {
    table: 'idempotent_calls',
    column: 'sealed_answer',
    key: { owner_id: 'uuid', key: 'text' },
    sealing(masterKey) {
      const { seal, open } = createAnswerSealing(masterKey);
      const contextOf = (row: Key) => sealContextOf({ owner: row['owner_id']!, key: row['key']! });
      return {
        seal: (row, contents) => seal(contextOf(row), contents),
        open: (row, sealed) => open(contextOf(row), sealed),
      };
    },
  },
  {
    table: 'config_versions',
    column: 'sealed',
    key: { organization_id: 'uuid', config_id: 'uuid', number: 'integer' },
    sealing(masterKey) {
      const { seal, open } = createSeal(masterKey);
      const contextOf = (row: Key) => ({
        organizationId: row['organization_id']!,
        configId: row['config_id']!,
        number: Number(row['number']),
      });
      return {
        seal: (row, contents) => seal(contextOf(row), contents),
        open: (row, sealed) => open(contextOf(row), sealed),
      };
    },
  },
];

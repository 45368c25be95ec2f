import { modules } from '../../domains/modules.ts';
import { createKeySealing } from '../../platform/adapters/installation/keys.ts';
import { createResponseSealing, sealContextOf } from '../../platform/idempotency/index.ts';
import { sealedFor, type SealedColumn, type SealedKey } from '../../platform/modules/sealed-column.ts';

/** Every such column. Answers of calls between processes are missing: they live for seconds, and a rotation deletes them. */
export const sealedColumns: readonly SealedColumn[] = [
  sealedFor('installation_keys', 'sealed', { purpose: 'text' }, 'purpose', createKeySealing),
  {
    table: 'idempotent_calls',
    column: 'sealed_answer',
    key: { owner_id: 'uuid', key: 'text' },
    sealing(masterKey) {
      const { seal, open } = createResponseSealing(masterKey);
      const contextOf = (row: SealedKey) => sealContextOf({ owner: row['owner_id']!, key: row['key']! });
      return {
        seal: (row, contents) => seal(contextOf(row), contents),
        open: (row, sealed) => open(contextOf(row), sealed),
      };
    },
  },
  ...modules.flatMap(({ sealed = [] }) => sealed),
];

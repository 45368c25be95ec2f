import { usagePlans as calls } from '@highline/contract';
import { DomainError } from '../../kernel/index.ts';
import { openTable } from '../../platform/tables/index.ts';

/** What is read of a cell: more than any ICCID has. */
const LONGEST_CELL = 60;

/**
 * Read the cells of the column ICCID of a CSV file or a workbook, each once; they are not checked.
 * @throws DomainError `csv.*`, `plan.too_many_sims`
 */
export async function readSimsFile(path: string): Promise<string[]> {
  const { rows } = await openTable(path, { required: { iccid: 'ICCID' } });
  const found = new Set<string>();
  for await (const { cells } of rows) {
    if (cells.iccid !== '') found.add(cells.iccid.slice(0, LONGEST_CELL));
    if (found.size > calls.MOST_SIMS) throw new DomainError('plan.too_many_sims');
  }
  return [...found];
}

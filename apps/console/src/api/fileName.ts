const LONGEST_NAME = 60;

/**
 * The name of a file that belongs to an organization: `base_Name.csv`.
 * @param owner characters that file systems reject become `_`; absent or empty = the base alone
 */
export function ownFileName(base: string, owner: string | undefined): string {
  const safe = (owner ?? '')
    .replaceAll(/[\p{Cc}\p{Cf}"*/:<>?\\|]/gu, '_')
    .trim()
    .slice(0, LONGEST_NAME)
    .toWellFormed();
  return safe === '' ? `${base}.csv` : `${base}_${safe}.csv`;
}

/** What a migration says about itself, in lines `-- highline: …` (decision 0036). */
export interface MigrationMarks {
  /** Run its statements one by one, outside of a transaction: only `create index concurrently` and `drop index concurrently`. */
  readonly concurrently: boolean;
  /**
   * The oldest program that works with the database after it: one that knows the migration with this number. 0 = any that works
   * with the database before it, since it only adds.
   */
  readonly compatibleSince: number;
}

/** @throws Error for a mark that does not exist */
export function marksOf(sql: string): MigrationMarks {
  let marks: MigrationMarks = { concurrently: false, compatibleSince: 0 };
  for (const [, mark = ''] of sql.matchAll(/^-- highline: (.*)$/gmu)) {
    const since = /^compatible since (\d{4})$/u.exec(mark)?.[1];
    if (since !== undefined) marks = { ...marks, compatibleSince: Number(since) };
    else if (mark === 'concurrently') marks = { ...marks, concurrently: true };
    else throw new Error(`"-- highline: ${mark}" is no mark of a migration.`);
  }
  return marks;
}

/** The statements of a migration marked `concurrently`, and the index that each one builds. */
export function indexStatementsOf(sql: string): { readonly text: string; readonly builds: string | undefined }[] {
  return sql
    .replaceAll(/^--.*$/gmu, '')
    .split(';')
    .filter((text) => text.trim() !== '')
    .map((text) => ({ text, builds: /^\s*create (?:unique )?index concurrently if not exists (\w+)/iu.exec(text)?.[1] }));
}

/** Its statements without comments, texts and bodies of functions, which may contain anything. */
export function statementsOf(sql: string): string[] {
  const plain = sql
    .split('\n')
    .map((line) => line.split('--', 1)[0])
    .join('\n')
    .replaceAll(/\$(\w*)\$[\s\S]*?\$\1\$/gu, "''")
    .replaceAll(/'[^']*'/gu, "''");
  return plain
    .split(';')
    .map((statement) => statement.trim().replaceAll(/\s+/gu, ' '))
    .filter((statement) => statement !== '');
}

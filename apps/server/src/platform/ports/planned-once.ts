import { sql } from 'kysely';
import { hash } from 'node:crypto';

const MARK = '/* planned once */ ';

/**
 * At the beginning of a statement that is run all the time with the same text: each connection parses and plans it once, which takes longer than
 * running it where many tables are joined and few rows are found. It names its columns: with `*`, it would fail at all open connections when a newer
 * version adds a column. Not where lists of parameters differ much in length and the plan depends on it.
 */
export const plannedOnce = sql.raw(MARK);

/** The name that a connection keeps a statement under; undefined = it is planned each time. */
export function nameOfPlanned(text: string): string | undefined {
  return text.startsWith(MARK) ? nameOfStatement(text) : undefined;
}

/** Statements with the same text share one name, over all connections. */
export function nameOfStatement(text: string): string {
  return `planned-${hash('sha256', text, 'base64url').slice(0, 16)}`;
}

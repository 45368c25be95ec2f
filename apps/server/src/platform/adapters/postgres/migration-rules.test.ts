import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { marksOf, statementsOf } from './migration-marks.ts';

// Decision 0036: processes of the version before work along with the new schema, and no one waits for a migration.

const FOLDER = fileURLToPath(new URL('../../../../migrations/', import.meta.url));
/** It creates everything: no process is there to wait. */
const BASELINE = '0001-baseline.sql';

const NAME = String.raw`(?:if (?:not )?exists )?(?:only )?"?(\w+)"?`;
const created = new RegExp(String.raw`^create (?:unlogged )?table ${NAME}`, 'iu');
const altered = new RegExp(String.raw`^alter table ${NAME} (.+)$`, 'iu');
const indexed = /^create (?:unique )?index (concurrently )?.*?\bon (?:only )?"?(\w+)"?/iu;

/** What a statement would break or hold up. */
function faultOf(statement: string, own: ReadonlySet<string>, { concurrently, compatibleSince }: ReturnType<typeof marksOf>) {
  const [, isConcurrent, target = ''] = indexed.exec(statement) ?? [];
  if (
    concurrently &&
    !/^(?:create (?:unique )?index concurrently if not exists|drop index concurrently if exists) /iu.test(statement)
  )
    return 'is neither `create index concurrently if not exists` nor `drop index concurrently if exists`';
  if (isConcurrent !== undefined && !concurrently) return 'needs the mark `concurrently`';
  if (target !== '' && isConcurrent === undefined && !own.has(target)) return `blocks writes to ${target}: build it concurrently`;
  if (/^drop index (?!concurrently)/iu.test(statement)) return 'waits for everyone who reads the table: drop it concurrently';
  const [, table = '', change = ''] = altered.exec(statement) ?? [];
  if (own.has(table)) return undefined;
  if (
    /\badd constraint\b|\badd (?:check|foreign key|unique|primary key)\b/iu.test(change) &&
    !/ not valid\b| using index /iu.test(change)
  )
    return `reads all of ${table} under a lock: add it \`not valid\` and validate it later, or use an index`;
  if (/\badd (?:column )?.*\bnot null\b/iu.test(change) && !/\bdefault\b/iu.test(change))
    return 'lets inserts of older processes fail: give it a default';
  const removes =
    /^drop (?!index|trigger\b)/iu.test(statement) ||
    /\bdrop (?:column|constraint)\b|\brename\b|\btype\b|\bset not null\b|\bdrop default\b/iu.test(change) ||
    /^alter (?!table|index)\w+ .*\brename\b/iu.test(statement);
  return removes && compatibleSince === 0 ? 'removes what older processes use: mark it `compatible since`' : undefined;
}

/** A sentence for each statement of a migration that breaks a rule. */
function faultsIn(sql: string): string[] {
  const statements = statementsOf(sql);
  const own = new Set(statements.flatMap((statement) => created.exec(statement)?.[1] ?? []));
  return statements.flatMap((statement) => {
    const fault = faultOf(statement, own, marksOf(sql));
    return fault === undefined ? [] : [`"${statement.slice(0, 80)}" ${fault}.`];
  });
}

const names = readdirSync(FOLDER).filter((name) => name !== BASELINE);

test('NOD-03-partial no migration breaks processes of the version before, or holds anyone up', () => {
  expect(names.flatMap((name) => faultsIn(readFileSync(join(FOLDER, name), 'utf8')).map((fault) => `${name}: ${fault}`))).toEqual(
    [],
  );
});

test('a mark names an earlier migration', () => {
  const numbers = readdirSync(FOLDER).map((name) => Number.parseInt(name, 10));
  for (const name of names) {
    const { compatibleSince } = marksOf(readFileSync(join(FOLDER, name), 'utf8'));
    expect(compatibleSince, name).toBeLessThan(Number.parseInt(name, 10));
    if (compatibleSince > 0) expect(numbers, name).toContain(compatibleSince);
  }
});

test.each([
  ['create table a (n integer not null); create index b on a (n); alter table a add check (n > 0);', 0],
  ['alter table devices add column a text; alter table devices add column b integer not null default 0;', 0],
  ['alter table devices add constraint c check (note <> $$;$$) not valid;', 0],
  ['create function f() returns void language sql as $$ drop table devices; $$;', 0],
  ["-- highline: concurrently\ncreate index concurrently if not exists i on devices (note) where note <> ';';\n", 0],
  ['-- highline: compatible since 0049\nalter table devices drop column note;', 0],
  ['create index i on devices (note);', 1],
  ['create unique index i on devices (note);', 1],
  ['create index concurrently i on devices (note);', 1],
  ['-- highline: concurrently\ncreate index i on devices (note);', 1],
  ['-- highline: concurrently\nalter table devices add column a text;', 1],
  ['drop index devices_by_note;', 1],
  ['drop table devices;', 1],
  ['alter table devices drop column note;', 1],
  ['alter table only devices rename note to remark;', 1],
  ['alter table devices alter column note set data type varchar(10);', 1],
  ['alter table devices alter note set not null;', 1],
  ['alter table devices add column a text not null;', 1],
  ['alter table devices add constraint c check (length(note) < 5);', 1],
  ['alter table devices add foreign key (group_key) references groups (key);', 1],
  ['drop view v; drop function f();', 2],
])('%s', (sql, faults) => {
  expect(faultsIn(sql)).toHaveLength(faults);
});

test('a misspelt mark is an error', () => {
  expect(() => marksOf('-- highline: concurently\n')).toThrow('"-- highline: concurently" is no mark of a migration.');
});

import { existsSync, globSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { API, TypeFlags, type Checker, type Project, type Type } from 'typescript/unstable/sync';
import type { CallExpression, Node, TaggedTemplateExpression, TypeNode } from 'typescript/unstable/ast';
import {
  isCallExpression,
  isIdentifier,
  isObjectLiteralExpression,
  isPropertyAccessExpression,
  isTaggedTemplateExpression,
} from 'typescript/unstable/ast/is';
import type { Plugin } from 'vitest/config';
import { root } from '../toolchain.mjs';
import type { Kind, RowClaim } from './row-checks.ts';

const SERVER = join(root, 'apps/server');
const CHECKS = join(root, 'scripts/tests/row-checks.ts');
/** Methods whose type argument is that of the rows they return. */
const READS = new Set(['rows', 'query', 'open']);
const MAY_CLAIM = /\bsql<|\b(?:rows|query|open)<|\bdefineList\(/u;

/** Where a file claims the type of rows, and the call that checks them. */
interface Claim extends RowClaim {
  readonly start: number;
  readonly end: number;
  readonly check: 'checkRows' | 'checkStatement' | 'checkList';
}

/** A file of the server, with its claims. */
interface ClaimingFile {
  readonly text: string;
  readonly claims: readonly Claim[];
}

/** Read the claims of the server's source with the compiler, by file. */
export function readClaims(): ReadonlyMap<string, ClaimingFile> {
  const api = new API({ cwd: root });
  try {
    const [project] = api.updateSnapshot({ openProjects: [join(SERVER, 'tsconfig.json')] }).getProjects();
    const files = globSync('src/**/*.ts', { cwd: SERVER, exclude: ['**/*.test.ts'] }).map((file) => join(SERVER, file));
    return new Map(
      files.flatMap((file): [string, ClaimingFile][] => {
        const text = readFileSync(file, 'utf8');
        return MAY_CLAIM.test(text) ? [[file, { text, claims: claimsOf(project!, file) }]] : [];
      }),
    );
  } finally {
    api.close();
  }
}

function claimsOf({ program, checker }: Project, file: string): Claim[] {
  const source = program.getSourceFile(file);
  if (source === undefined) return [];
  const claims: Claim[] = [];
  const add = (node: Node, check: Claim['check'], type: Type | undefined): void => {
    const columns = type && columnsOf(checker, type);
    if (columns === undefined) return;
    const start = node.getStart(source);
    const line = source.text.slice(0, start).split('\n').length;
    const site = `${relative(root, file)}:${line}`;
    claims.push({ site, start, end: node.end, check, ...columns });
  };
  const visit = (node: Node): void => {
    if (isTaggedTemplateExpression(node)) {
      const claimed = claimOfTag(node);
      if (claimed !== undefined) add(node, 'checkStatement', checker.getTypeFromTypeNode(claimed));
    } else if (isCallExpression(node)) {
      const claimed = claimOfCall(node);
      const [list] = node.arguments;
      if (claimed !== undefined) add(node, 'checkRows', checker.getTypeFromTypeNode(claimed));
      else if (isIdentifier(node.expression) && node.expression.text === 'defineList' && list !== undefined)
        add(list, 'checkList', rowOfList(checker, list));
    }
    node.forEachChild(visit);
  };
  source.forEachChild(visit);
  return claims;
}

function claimOfTag({ tag, typeArguments }: TaggedTemplateExpression): TypeNode | undefined {
  return isIdentifier(tag) && tag.text === 'sql' ? typeArguments?.[0] : undefined;
}

function claimOfCall({ expression, typeArguments }: CallExpression): TypeNode | undefined {
  const name = isPropertyAccessExpression(expression) ? expression.name : expression;
  return isIdentifier(name) && READS.has(name.text) ? typeArguments?.[0] : undefined;
}

/** What `toDto` of a list takes. */
function rowOfList(checker: Checker, list: Node): Type | undefined {
  if (!isObjectLiteralExpression(list)) return undefined;
  const type = checker.getTypeAtLocation(list);
  const toDto = type && checker.getPropertyOfType(type, 'toDto');
  const signature = toDto && checker.getSignaturesOfType(checker.getTypeOfSymbol(toDto)!, 0)[0];
  return signature && checker.getParameterType(signature, 0);
}

/** The columns of a type of rows; undefined for a value and for a type that is not known here. */
function columnsOf(checker: Checker, type: Type): Pick<RowClaim, 'columns' | 'optional'> | undefined {
  if ((type.flags & (TypeFlags.Object | TypeFlags.Intersection | TypeFlags.Union)) === 0) return undefined;
  const kinds = kindsOf(checker, type);
  if (kinds.length !== 1 || kinds[0] !== 'object') return undefined;
  const variants = type.isUnionType() ? type.getTypes() : [type];
  const columns: Record<string, Kind[]> = {};
  const optional = new Set<string>();
  for (const variant of variants) {
    const properties = checker.getPropertiesOfType(variant);
    if (checker.getIndexInfosOfType(variant).length > 0) return undefined;
    for (const property of properties) {
      const found = kindsOf(checker, checker.getTypeOfSymbol(property)!);
      columns[property.name] = [...(columns[property.name] ?? []), ...found.filter((kind) => kind !== MISSING)];
      if (found.includes(MISSING) || found.includes('unknown')) optional.add(property.name);
    }
  }
  // Of a union such as `Found | { id: null }`, as an outer join returns it.
  for (const [name, found] of Object.entries(columns))
    if (variants.some((variant) => checker.getPropertyOfType(variant, name) === undefined)) {
      optional.add(name);
      found.push('null');
    }
  return { columns, optional: [...optional] };
}

const MISSING = 'missing' as Kind;

function kindsOf(checker: Checker, type: Type): Kind[] {
  if (type.isUnionType()) return [...new Set(type.getTypes().flatMap((one) => kindsOf(checker, one)))];
  const { flags } = type;
  if ((flags & TypeFlags.StringLike) !== 0) return ['string'];
  if ((flags & TypeFlags.NumberLike) !== 0) return ['number'];
  if ((flags & TypeFlags.BooleanLike) !== 0) return ['boolean'];
  if ((flags & TypeFlags.Null) !== 0) return ['null'];
  if ((flags & TypeFlags.Undefined) !== 0) return [MISSING];
  if (checker.isArrayType(type) || checker.isTupleType(type))
    return [{ array: [...new Set(elementsOf(checker, type).flatMap((one) => kindsOf(checker, one)))] }];
  if ((flags & (TypeFlags.Object | TypeFlags.Intersection)) === 0) return ['unknown'];
  const name = type.getSymbol()?.name;
  if (name === 'Date') return ['date'];
  return name === 'Buffer' || name === 'Uint8Array' ? ['bytes'] : ['object'];
}

const elementsOf = (checker: Checker, type: Type): readonly Type[] =>
  type.isTypeReference() ? checker.getTypeArguments(type) : [];

/** In tests, each statement of the server compares the rows that it reads with their claimed type. */
export function rowClaims(): Plugin {
  process.env['HIGHLINE_TEST_CLAIMS'] ??= join(tmpdir(), `highline-row-claims-${process.pid}`);
  let read: ReturnType<typeof readClaims> | undefined;
  return {
    name: 'row-claims',
    enforce: 'pre',
    transform(code, id) {
      const [file = ''] = id.split('?');
      if (!file.startsWith(SERVER) || file.endsWith('.test.ts') || !MAY_CLAIM.test(code)) return undefined;
      // In watch mode a file changes after they were read.
      if (read?.get(file)?.text !== code) read = readClaims();
      const claims = read.get(file)?.claims ?? [];
      return claims.length === 0 ? undefined : { code: insertChecks(code, claims), map: null };
    },
    buildEnd() {
      rmSync(process.env['HIGHLINE_TEST_CLAIMS']!, { force: true });
    },
  };
}

/** The code with a call around each claim, on the same lines. */
function insertChecks(code: string, claims: readonly Claim[]): string {
  const edits = claims.flatMap(({ start, end, check, ...claim }) => [
    { at: start, text: `$rows.${check}(${JSON.stringify(claim)}, `, order: start },
    { at: end, text: ')', order: -start },
  ]);
  let changed = code;
  for (const { at, text } of edits.toSorted((a, b) => b.at - a.at || b.order - a.order))
    changed = changed.slice(0, at) + text + changed.slice(at);
  return `import * as $rows from ${JSON.stringify(CHECKS)};${changed}`;
}

/** Files whose statements tests do not reach, with the reason. The list may only become shorter. */
const UNREACHED: Readonly<Record<string, string>> = {
  'demo/acts.ts': 'It needs the whole demo, which tests start as a process of its own.',
  'demo/prepare.ts': 'It begins the demo, which tests start as a process of its own.',
  'platform/adapters/postgres/serving-role.ts': 'It names the owner of the database only where that user may not create roles.',
};
/** Tests start these as programs, whose modules they do not load. */
const PROGRAMS = /^(?:cli|testing)\//u;

/** After a whole run: claims that no test has checked, since none executed the statement. */
export function findUncheckedClaims(): string[] {
  const notes = process.env['HIGHLINE_TEST_CLAIMS']!;
  const checked = new Set(existsSync(notes) ? readFileSync(notes, 'utf8').split('\n') : []);
  return [...readClaims()].flatMap(([file, { claims }]) => {
    const name = relative(join(SERVER, 'src'), file);
    if (PROGRAMS.test(name) || UNREACHED[name] !== undefined) return [];
    return claims.map(({ site }) => site).filter((site) => !checked.has(site));
  });
}

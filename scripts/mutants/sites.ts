import { createHash } from 'node:crypto';
import { parseSync } from 'oxc-parser';

/** A change of one expression or statement of a source, which some test should notice. */
export interface Site {
  readonly start: number;
  readonly end: number;
  readonly kind: Kind;
  /** What replaces the source between start and end; a removed statement has nothing. */
  readonly mutated: string;
  /** Runs when the module is loaded, before any test. */
  readonly isStatic: boolean;
}

export type Kind = 'condition' | 'boundary' | 'operator' | 'call' | 'return' | 'literal';

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

/** Types are not run; the names of properties cannot be expressions. */
const NOT_RUN = new Set(['typeAnnotation', 'returnType', 'typeParameters', 'typeArguments', 'superTypeArguments']);
const EXPRESSIONS_OF_TYPESCRIPT = new Set(['TSAsExpression', 'TSNonNullExpression', 'TSSatisfiesExpression']);
const TESTED = new Set(['IfStatement', 'ConditionalExpression', 'WhileStatement', 'DoWhileStatement']);
const FUNCTIONS = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);
const BOUNDARIES: Readonly<Record<string, string>> = { '<': '<=', '<=': '<', '>': '>=', '>=': '>' };
const OPERATORS: Readonly<Record<string, string>> = {
  '===': '!==',
  '!==': '===',
  '&&': '||',
  '||': '&&',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
};

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value;

function childrenOf(node: Node): Node[] {
  return Object.entries(node).flatMap(([field, value]) => {
    if (NOT_RUN.has(field) || (field === 'key' && node['computed'] !== true)) return [];
    return (Array.isArray(value) ? value : [value]).filter((child: unknown): child is Node => isNode(child));
  });
}

function parse(file: string, source: string): Node {
  const { program, errors } = parseSync(file, source, { preserveParens: false });
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0]!.message}`);
  return program as unknown as Node;
}

/** Every change that we know to make in a source. */
export function sitesOf(file: string, source: string): Site[] {
  const found: Site[] = [];
  const text = (node: unknown) => source.slice((node as Node).start, (node as Node).end);
  const visit = (node: Node, isStatic: boolean): void => {
    if (node.type.startsWith('TS') && !EXPRESSIONS_OF_TYPESCRIPT.has(node.type)) return;
    if (node.type.startsWith('Import') && node.type !== 'ImportExpression') return;
    const add = (kind: Kind, at: unknown, mutated: string) =>
      found.push({ start: (at as Node).start, end: (at as Node).end, kind, mutated, isStatic });
    if (TESTED.has(node.type)) add('condition', node['test'], `!(${text(node['test'])})`);
    if (node.type === 'BinaryExpression' || node.type === 'LogicalExpression') {
      const operator = node['operator'] as string;
      const kind = operator in BOUNDARIES ? 'boundary' : 'operator';
      const other = BOUNDARIES[operator] ?? OPERATORS[operator];
      const joinsText = operator === '+' && [node['left'], node['right']].some((side) => isText(side as Node));
      if (other !== undefined && !joinsText) add(kind, node, `(${text(node['left'])}) ${other} (${text(node['right'])})`);
    }
    if (node.type === 'ExpressionStatement' && canBeRemoved(node['expression'] as Node)) add('call', node, '');
    if (node.type === 'ReturnStatement' && isNode(node['argument'])) addReturn(node['argument'], add);
    const body = node['body'];
    const hasExpression = node.type === 'ArrowFunctionExpression' && isNode(body) && body.type !== 'BlockStatement';
    if (hasExpression) addReturn(body, add);
    if (node.type === 'Literal' && typeof node['value'] === 'boolean') add('literal', node, String(!node['value']));
    if (node.type === 'Literal' && typeof node['value'] === 'number')
      add('literal', node, node['value'] === 1 ? '0' : `${text(node)} + 1`);
    for (const child of childrenOf(node)) visit(child, isStatic && !FUNCTIONS.has(node.type));
  };
  visit(parse(file, source), true);
  return found;
}

const isText = ({ type, value }: Node) => type === 'TemplateLiteral' || typeof value === 'string';

function addReturn(value: Node, add: (kind: Kind, at: Node, mutated: string) => void): void {
  const empty =
    value.type === 'ArrayExpression' ? '[]' : value.type === 'ObjectExpression' ? '{}' : isText(value) ? "''" : 'undefined';
  // `undefined` and what is empty already would stay as they are, and conditions have changes of their own.
  const isSame = value.end - value.start <= 2 || (value.type === 'Identifier' && value['name'] === 'undefined');
  if (!isSame && !['BinaryExpression', 'Literal'].includes(value.type)) add('return', value, `(${empty})`);
}

function canBeRemoved(expression: Node): boolean {
  const called = expression.type === 'AwaitExpression' ? (expression['argument'] as Node) : expression;
  if (called.type === 'CallExpression') return (called['callee'] as Node).type !== 'Super';
  return ['AssignmentExpression', 'UpdateExpression', 'ChainExpression'].includes(called.type);
}

export interface Source {
  readonly file: string;
  readonly source: string;
}

export interface Mutant extends Site {
  readonly id: number;
  readonly file: string;
  readonly line: number;
  readonly original: string;
}

/**
 * Choose by a hash of what is changed: the same changes are chosen in another commit, wherever the source is the same there.
 * Each site has the same chance.
 */
export function choose(
  sources: readonly Source[],
  seed: number,
  count: number,
): { readonly mutants: Mutant[]; readonly sites: number } {
  const all = sources.flatMap(({ file, source }) => {
    const seen = new Map<string, number>();
    return sitesOf(file, source).map((site) => {
      const original = source.slice(site.start, site.end);
      const name = [file, site.kind, original, site.mutated].join('\0');
      const repeated = seen.get(name) ?? 0;
      seen.set(name, repeated + 1);
      const rank = createHash('sha256').update([seed, name, repeated].join('\0')).digest('hex');
      return { ...site, file, line: source.slice(0, site.start).split('\n').length, original, rank };
    });
  });
  const chosen = all.toSorted((one, other) => (one.rank < other.rank ? -1 : 1)).slice(0, count);
  return { mutants: chosen.map(({ rank: _, ...mutant }, index) => ({ ...mutant, id: index + 1 })), sites: all.length };
}

/**
 * A source that contains its mutants, switched by the global `activeMutant`. One of a file that also runs at its loading has a mark in each of its
 * functions, because which tests depend on what is loaded shows only there.
 * @param mark a number below zero
 */
export function withMutants({ file, source }: Source, mutants: readonly Mutant[], mark: number): string {
  const inserted: { readonly at: number; readonly order: number; readonly text: string }[] = [];
  // At one place, ends come before starts; the outer of two begins first and ends last.
  const wrap = (start: number, end: number, before: string, after: string) => {
    const size = end - start + inserted.length / 1e6;
    inserted.push({ at: start, order: 1e9 - size, text: before }, { at: end, order: size - 1e9, text: after });
  };
  for (const { id, start, end, mutated } of mutants)
    if (mutated === '') wrap(start, end, `if(!__m(${id})){`, '}');
    else wrap(start, end, `(__m(${id})?(${mutated}):(`, '))');
  if (mutants.some(({ isStatic }) => isStatic)) {
    const visit = (node: Node): void => {
      const body = node['body'];
      if (FUNCTIONS.has(node.type) && isNode(body)) {
        if (body.type === 'BlockStatement') inserted.push({ at: body.start + 1, order: 0, text: `__m(${mark});` });
        else wrap(body.start, body.end, `(__m(${mark}),(`, '))');
      }
      for (const child of childrenOf(node)) visit(child);
    };
    visit(parse(file, source));
  }
  let text = 'const __m=(id: number)=>(globalThis as any).activeMutant?.(id)??false;';
  let from = 0;
  for (const { at, text: piece } of inserted.toSorted((one, other) => one.at - other.at || one.order - other.order)) {
    text += source.slice(from, at) + piece;
    from = at;
  }
  return text + source.slice(from);
}

import { parseSync } from 'oxc-parser';
import { analyse } from 'scslre';

export interface SlowExpression {
  readonly file: string;
  readonly line: number;
  /** The literal as in the source, or `new RegExp(…)`. */
  readonly expression: string;
  readonly problem: string;
}

/**
 * Finds regular expressions in a source that take more than linear time on some text, which lets the sender of the text control
 * the time. Expressions built at run time cannot be checked and are reported as well.
 */
export function findSlowExpressions(file: string, source: string): SlowExpression[] {
  const { program, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0]!.message}`);
  const found: SlowExpression[] = [];
  visit(program, (node) => {
    const line = source.slice(0, node.start).split('\n').length;
    const expression = source.slice(node.start, node.end);
    const problem = node.regex === undefined ? problemOfConstruction(node) : problemOf(node.regex);
    if (problem !== undefined) found.push({ file, line, expression, problem });
  });
  return found;
}

interface Regex {
  readonly pattern: string;
  readonly flags: string;
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly regex?: Regex;
  readonly callee?: { readonly name?: string };
}

function problemOf({ pattern, flags }: Regex): string | undefined {
  const { reports } = analyse({ source: pattern, flags });
  const [first] = reports;
  if (first === undefined) return undefined;
  return first.exponential ? 'takes exponential time on some text' : 'takes quadratic time on some text';
}

function problemOfConstruction({ type, callee }: Node): string | undefined {
  const isBuilt = (type === 'NewExpression' || type === 'CallExpression') && callee?.name === 'RegExp';
  return isBuilt ? 'is built at run time, so that its time is not known' : undefined;
}

function visit(node: unknown, act: (node: Node) => void): void {
  if (Array.isArray(node)) for (const each of node) visit(each, act);
  else if (typeof node === 'object' && node !== null) {
    if ('type' in node) act(node as Node);
    for (const [key, value] of Object.entries(node)) if (key !== 'regex') visit(value, act);
  }
}

import { UspError } from '@highline/usp';
import { type Ids, type ObjectDef, type RouterView, UspFault, readParam } from './definition.ts';

/**
 * Search expressions, `[Enable==true&&ID=="boot"]` (TR-369 "Searching"): conditions on the instance's own parameters, joined by `&&`.
 */
export type SearchTest = (router: RouterView, instance: Searchable) => boolean;

type Searchable = { node: { def: ObjectDef | undefined }; path: string; ids: Ids };
type Operator = '==' | '!=' | '<=' | '>=' | '<' | '>';
type Condition = { name: string; operator: Operator; value: string };

const CONDITION = /^([A-Za-z_][A-Za-z0-9_-]*)(==|!=|<=|>=|<|>)(?:"([^"]*)"|([^"]*))$/;

/** @throws UspFault 7008 when the expression is invalid */
export function parseSearch(segment: string): SearchTest {
  if (!segment.endsWith(']')) throw malformed(segment);
  const conditions = splitConditions(segment.slice(1, -1)).map((text) => parseCondition(segment, text));
  return (router, instance) => conditions.every((condition) => isMet(condition, router, instance));
}

function splitConditions(body: string): string[] {
  const parts: string[] = [];
  let start = 0;
  let quoted = false;
  for (let at = 0; at < body.length; at++) {
    if (body[at] === '"') quoted = !quoted;
    if (quoted || !body.startsWith('&&', at)) continue;
    parts.push(body.slice(start, at));
    start = at + 2;
  }
  return [...parts, body.slice(start)];
}

function parseCondition(segment: string, text: string): Condition {
  const match = CONDITION.exec(text.trim());
  if (!match) throw malformed(segment);
  const quoted = match[3]?.replaceAll('%22', '"').replaceAll('%25', '%');
  return { name: match[1] ?? '', operator: match[2] as Operator, value: quoted ?? match[4] ?? '' };
}

function isMet({ name, operator, value }: Condition, router: RouterView, { node, path, ids }: Searchable): boolean {
  const param = node.def && Object.hasOwn(node.def.params, name) ? node.def.params[name] : undefined;
  if (!param) throw new UspFault(UspError.invalidPath, `${path}${name} is not a parameter of this router`);
  const actual = readParam(param, name, router, path, ids);
  if (param.type === 'PARAM_BOOLEAN') return compare(operator, actual, value === '1' ? 'true' : value === '0' ? 'false' : value);
  const isText = param.type === 'PARAM_STRING' || param.type === 'PARAM_DATE_TIME';
  return isText ? compare(operator, actual, value) : compare(operator, Number(actual), Number(value));
}

function compare<T extends string | number>(operator: Operator, left: T, right: T): boolean {
  switch (operator) {
    case '==':
      return left === right;
    case '!=':
      return left !== right;
    case '<=':
      return left <= right;
    case '>=':
      return left >= right;
    case '<':
      return left < right;
    case '>':
      return left > right;
  }
}

function malformed(segment: string): UspFault {
  return new UspFault(UspError.invalidPathSyntax, `cannot read the search expression ${segment.slice(0, 100)}`);
}

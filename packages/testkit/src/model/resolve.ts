import { Code, UspFault } from '../errors.ts';
import type { DataModel } from './data-model.ts';

/** Segments of a path; a search expression in brackets may contain dots and is kept whole. @throws UspFault 7008 */
export function segmentsOf(path: string): string[] {
  const segments = path.match(/\[[^\]]*\]|[^.[\]]+/gu) ?? [];
  const isWhole = segments.join('.') === path.replace(/\.$/u, '');
  if (!isWhole || segments[0] !== 'Device') throw new UspFault(Code.invalidPathSyntax, `${path} is not a path`);
  return segments;
}

/** Split a parameter, command or event path: `Device.A.B()` → [`Device.A.`, `B()`]. */
export function splitLeaf(path: string): [objectPath: string, name: string] {
  const name = path.slice(path.lastIndexOf('.') + 1);
  return [path.slice(0, path.length - name.length), name];
}

/** The supported path of an expression, with `{i}` for numbers, `*` and search expressions. */
export function supportedPathOf(objectPath: string): string {
  const segments = segmentsOf(objectPath).map((segment) => (isInstance(segment) ? '{i}' : segment));
  return `${segments.join('.')}.`;
}

/**
 * Existing objects that an object path names: by number, `*` or search expression. A table without an instance names the table.
 * @throws UspFault 7008 for an invalid path, 7026 for an unsupported one, 7016 for an instance that does not exist
 */
export function resolveObjects(model: DataModel, objectPath: string): string[] {
  const supported = supportedPathOf(objectPath);
  if (!model.supported.has(supported) && !isTable(model, supported))
    throw new UspFault(Code.invalidPath, `${objectPath} is not in the supported data model`);
  let found = [''];
  let isSearch = false;
  for (const segment of segmentsOf(objectPath)) {
    isSearch ||= segment === '*' || segment.startsWith('[');
    found = found.flatMap((path) => step(model, path, segment, isSearch));
  }
  return found;
}

/** Whether a supported path is a table, such as `Device.BulkData.Profile.` */
export function isTable(model: DataModel, supportedPath: string): boolean {
  return model.supported.has(`${supportedPath}{i}.`);
}

function step(model: DataModel, path: string, segment: string, isSearch: boolean): string[] {
  if (!isInstance(segment)) return [`${path}${segment}.`];
  const instances = model.instances(path);
  if (segment === '*') return instances;
  if (segment.startsWith('[')) return instances.filter((instance) => matches(model, instance, segment.slice(1, -1)));
  if (instances.includes(`${path}${segment}.`)) return [`${path}${segment}.`];
  if (isSearch) return [];
  throw new UspFault(Code.objectDoesNotExist, `${path}${segment}. does not exist`);
}

function isInstance(segment: string): boolean {
  return segment === '*' || segment === '{i}' || segment.startsWith('[') || /^\d+$/u.test(segment);
}

/** TR-369 "Searching with Expressions": comparisons joined by `&&`. */
function matches(model: DataModel, instance: string, expression: string): boolean {
  return expression.split('&&').every((comparison) => {
    const [, name = '', operator = '', quoted = ''] = /^([\w.]+)(==|!=|<=|>=|<|>)(.*)$/u.exec(comparison.trim()) ?? [];
    const value = model.value(instance + name);
    if (value === undefined) throw new UspFault(Code.invalidPathSyntax, `${comparison} is not a comparison`);
    return compare(value, operator, quoted.replaceAll('"', ''));
  });
}

function compare(value: string, operator: string, other: string): boolean {
  if (operator === '==') return value === other;
  if (operator === '!=') return value !== other;
  const difference = Number(value) - Number(other);
  if (difference === 0) return operator.endsWith('=');
  return difference < 0 === operator.startsWith('<');
}

/** Whether a reference of a subscription covers a full path; an object path covers everything below it. */
export function covers(model: DataModel, reference: string, path: string): boolean {
  const [objectPath, name] = splitLeaf(reference);
  if (name === '') return resolveObjects(model, objectPath).some((each) => path.startsWith(each));
  const [ownObject, ownName] = splitLeaf(path);
  return ownName === name && resolveObjects(model, objectPath).includes(ownObject);
}

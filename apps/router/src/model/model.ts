import { UspError, objectPath, splitPath } from '@highline/usp';
import { type Ids, type ObjectDef, type RouterView, UspFault } from './definition.ts';
import { whole } from './params.ts';
import { parseSearch } from './search.ts';

/** One element of the tree. A table has an `instance`, the node of its {i}; a node without `def` only groups others. */
export type Node = { name: string; def: ObjectDef | undefined; children: Map<string, Node>; instance: Node | undefined };

/** An object that exists on a router: a definition with its instance numbers filled in. */
export type Located = { node: Node; path: string; ids: Ids };

/** All definitions as a tree; shared by every router of the process. */
export type Model = { root: Node; defs: readonly ObjectDef[] };

/** Build the tree and add the `…NumberOfEntries` parameter of each table to its parent object (TR-106). */
export function createModel(objects: readonly ObjectDef[]): Model {
  const defs = objects.map((def) => withEntryCounts(def, objects));
  const root = emptyNode('Device');
  for (const def of defs) insertObject(root, def);
  return { root, defs };
}

/**
 * Find the objects that a path names: exact, with `*`, or with search expressions.
 * @param path an object path, with its final dot
 * @throws UspFault 7026 when the model has no such object, 7016 when an instance does not exist, 7008 for wrong syntax
 */
export function locate(model: Model, router: RouterView, path: string): Located[] {
  const [first, ...segments] = splitPath(path);
  if (first !== 'Device' || !path.endsWith('.'))
    throw new UspFault(UspError.invalidPath, `${path} is not an object of this router`);
  let found: Located[] = [{ node: model.root, path: 'Device.', ids: [] }];
  for (const segment of segments) found = found.flatMap((located) => descend(router, located, segment));
  return found;
}

/** The node of a template or instance path, whether or not the instance exists; undefined when the model has none. */
export function findNode(model: Model, path: string): Node | undefined {
  const [first, ...segments] = splitPath(path);
  let node: Node | undefined = first === 'Device' ? model.root : undefined;
  for (const segment of segments)
    node = node && (node.children.get(segment) ?? (segment === '{i}' || isInstance(segment) ? node.instance : undefined));
  return node;
}

/** The existing children of an object: single objects and table instances alike. */
export function childrenOf(router: RouterView, located: Located): Located[] {
  return [...located.node.children.values()].flatMap((child) => {
    const below = { node: child, path: `${located.path}${child.name}.`, ids: located.ids };
    return child.instance ? instancesOf(router, below) : [below];
  });
}

/** The existing instances of a table. */
export function instancesOf(router: RouterView, table: Located): Located[] {
  const node = table.node.instance;
  if (!node) return [];
  return instanceNumbers(router, node.def, table).map((id) => ({ node, path: `${table.path}${id}.`, ids: [...table.ids, id] }));
}

function instanceNumbers(router: RouterView, def: ObjectDef | undefined, at: { path: string; ids: Ids }): readonly number[] {
  const fixed = def?.table?.instances?.(router, at.ids);
  if (fixed !== undefined && def?.table?.grows === undefined) return fixed;
  return [...new Set([...(fixed ?? []), ...rowNumbers(router, at.path)])].sort((a, b) => a - b);
}

function rowNumbers(router: RouterView, tablePath: string): number[] {
  const numbers: number[] = [];
  for (const path of router.rowPaths()) {
    if (!path.startsWith(tablePath)) continue;
    const rest = path.slice(tablePath.length, -1);
    if (!rest.includes('.')) numbers.push(Number(rest));
  }
  return numbers.sort((a, b) => a - b);
}

function descend(router: RouterView, located: Located, segment: string): Located[] {
  const child = located.node.children.get(segment);
  if (child) return [{ node: child, path: `${located.path}${segment}.`, ids: located.ids }];
  if (!located.node.instance || !isInstance(segment)) {
    throw new UspFault(UspError.invalidPath, `${located.path}${segment}. is not an object of this router`);
  }
  if (segment === '*') return instancesOf(router, located);
  if (segment.startsWith('[')) {
    const matches = parseSearch(segment);
    return instancesOf(router, located).filter((instance) => matches(router, instance));
  }
  return [getInstance(router, located, located.node.instance, Number(segment))];
}

function getInstance(router: RouterView, table: Located, node: Node, id: number): Located {
  const path = `${table.path}${id}.`;
  const { instances, grows } = node.def?.table ?? {};
  const isFixed = instances?.(router, table.ids).includes(id) === true;
  // An added instance has a row, even an empty one; looking it up is far cheaper than listing all.
  const isAdded = (instances === undefined || grows !== undefined) && router.row(path) !== undefined;
  if (!isFixed && !isAdded) {
    throw new UspFault(UspError.objectDoesNotExist, `${path} does not exist`);
  }
  return { node, path, ids: [...table.ids, id] };
}

function isInstance(segment: string): boolean {
  return segment === '*' || segment.startsWith('[') || /^[1-9]\d{0,8}$/.test(segment);
}

function emptyNode(name: string): Node {
  return { name, def: undefined, children: new Map(), instance: undefined };
}

function insertObject(root: Node, def: ObjectDef): void {
  let node = root;
  for (const segment of splitPath(def.path).slice(1))
    node = segment === '{i}' ? (node.instance ??= emptyNode('{i}')) : childNode(node, segment);
  node.def = def;
}

function childNode(node: Node, name: string): Node {
  let child = node.children.get(name);
  if (!child) {
    child = emptyNode(name);
    node.children.set(name, child);
  }
  return child;
}

function withEntryCounts(def: ObjectDef, all: readonly ObjectDef[]): ObjectDef {
  const tables = all.filter((other) => other.table && isTableOf(def.path, other.path));
  const counts = tables.map((table) => {
    const name = splitPath(table.path).at(-2) ?? '';
    const read = (router: RouterView, ids: Ids) =>
      instanceNumbers(router, table, { path: objectPath(...fill(def.path, ids), name), ids }).length;
    return [`${name}NumberOfEntries`, whole(read)] as const;
  });
  return counts.length > 0 ? { ...def, params: { ...def.params, ...Object.fromEntries(counts) } } : def;
}

function isTableOf(parent: string, template: string): boolean {
  const rest = template.startsWith(parent) ? template.slice(parent.length) : '';
  return /^[^.]+\.\{i\}\.$/.test(rest);
}

/** Segments of a template path with its {i} replaced, outermost first. */
function fill(template: string, ids: Ids): (string | number)[] {
  let next = 0;
  return splitPath(template).map((segment) => (segment === '{i}' ? (ids[next++] ?? 0) : segment));
}

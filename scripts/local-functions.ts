/** An ESTree node; the fields of each type are looked up by name. */
export interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

/** Methods that do not throw with the arguments of a closing callback. */
const HARMLESS_METHODS = new Set([
  'abort',
  'add',
  'clear',
  'cut',
  'debug',
  'delete',
  'destroy',
  'destroySoon',
  'end',
  'error',
  'fatal',
  'get',
  'has',
  'info',
  'off',
  'on',
  'once',
  'pause',
  'push',
  'removeAllListeners',
  'resume',
  'set',
  'slice',
  'terminate',
  'toString',
  'unref',
  'warn',
]);

/** Harmless only without arguments: the close reason may be too long for a WebSocket. */
const HARMLESS_BARE_METHODS = new Set(['close', 'now', 'exec', 'cancel']);

const HARMLESS_FUNCTIONS = new Set([
  'clearTimeout',
  'clearInterval',
  'setTimeout',
  'doNothing',
  'resolve',
  'reject',
  'Number',
  'String',
  'Boolean',
]);

const HARMLESS_CLASSES = new Set(['Error', 'Map', 'Set', 'Promise']);

/** The last name of `name`, `a.name` and `this.#name`. */
export function nameOf(callee: unknown): string {
  const node = callee as Node;
  if (node.type === 'ChainExpression') return nameOf(node['expression']);
  if (node.type === 'Identifier' || node.type === 'PrivateIdentifier') return node['name'] as string;
  return node.type === 'MemberExpression' && node['computed'] !== true ? nameOf(node['property']) : '';
}

/** The functions of one file by name, and which of them cannot fail. */
export class LocalFunctions {
  readonly #byName = new Map<string, Node[]>();
  readonly #checking = new Set<Node>();

  constructor(root: Node) {
    visitNode(root, (node) => {
      if (node.type === 'FunctionDeclaration') this.#keep(nameOf(node['id']), node);
      else if (node.type === 'PropertyDefinition' && node['value']) this.#keep(nameOf(node['key']), node['value'] as Node);
      else if (node.type === 'MethodDefinition') this.#keep(nameOf(node['key']), node['value'] as Node);
      else if (node.type === 'VariableDeclarator' && (node['id'] as Node).type === 'Identifier' && node['init'])
        this.#keep(nameOf(node['id']), node['init'] as Node);
    });
  }

  #keep(name: string, node: Node): void {
    this.#byName.set(name, [...(this.#byName.get(name) ?? []), node]);
  }

  isBounded(callback: Node): boolean {
    if (callback.type === 'CallExpression') return this.#isGuard(callback);
    if (isFunction(callback)) return this.#isHarmlessFunction(callback);
    const name = nameOf(callback);
    return HARMLESS_FUNCTIONS.has(name) || this.#isHarmlessName(name);
  }

  /** `guard(…)`, or a function of the file that only calls it. */
  #isGuard(call: Node): boolean {
    const name = nameOf(call['callee']);
    if (name === 'guard') return true;
    const known = this.#byName.get(name) ?? [];
    const bodies = known.map((node) => node['body'] as Node | undefined);
    return known.length > 0 && bodies.every((body) => body?.type === 'CallExpression' && nameOf(body['callee']) === 'guard');
  }

  /** All functions of the file with this name, at least one. */
  #isHarmlessName(name: string): boolean {
    const known = this.#byName.get(name);
    return known !== undefined && known.every((node) => this.#isHarmlessValue(node));
  }

  #isHarmlessValue(node: Node): boolean {
    if (node.type === 'CallExpression') return this.#isGuard(node);
    return isFunction(node) && this.#isHarmlessFunction(node);
  }

  #isHarmlessFunction(node: Node): boolean {
    // A recursive function is accepted according to the rest of it.
    if (this.#checking.has(node)) return true;
    this.#checking.add(node);
    const body = node['body'] as Node;
    const isHarmless = node['async'] !== true && this.#isHarmless(body);
    this.#checking.delete(node);
    return isHarmless;
  }

  #isHarmless(node: Node | null | undefined): boolean {
    if (node === null || node === undefined) return true;
    const all = (...fields: string[]) =>
      fields.every((field) => {
        const value = node[field] as Node | Node[] | null | undefined;
        return Array.isArray(value) ? value.every((each) => this.#isHarmless(each)) : this.#isHarmless(value);
      });
    switch (node.type) {
      case 'BlockStatement':
        return all('body');
      case 'ExpressionStatement':
      case 'ChainExpression':
      case 'ParenthesizedExpression':
      case 'TSNonNullExpression':
      case 'TSAsExpression':
        return all('expression');
      case 'ReturnStatement':
      case 'UnaryExpression':
      case 'UpdateExpression':
      case 'SpreadElement':
        return all('argument');
      case 'IfStatement':
      case 'ConditionalExpression':
        return all('test', 'consequent', 'alternate');
      case 'AssignmentExpression':
      case 'BinaryExpression':
      case 'LogicalExpression':
        return all('left', 'right');
      case 'VariableDeclaration':
        return all('declarations');
      case 'VariableDeclarator':
        return (node['id'] as Node).type === 'Identifier' && all('init');
      case 'ForOfStatement':
        return all('right', 'body');
      case 'TemplateLiteral':
        return all('expressions');
      case 'ArrayExpression':
        return all('elements');
      case 'ObjectExpression':
        return all('properties');
      case 'Property':
        return all('value');
      case 'MemberExpression':
        return all('object') && (node['computed'] !== true || all('property'));
      case 'TryStatement':
        return node['handler'] !== null && this.#isHarmless((node['handler'] as Node)['body'] as Node) && all('finalizer');
      case 'NewExpression':
        return HARMLESS_CLASSES.has(nameOf(node['callee'])) && all('arguments');
      case 'CallExpression':
        return this.#isHarmlessCall(node) && all('arguments');
      case 'Identifier':
      case 'PrivateIdentifier':
      case 'Literal':
      case 'ThisExpression':
      case 'Super':
      case 'EmptyStatement':
      case 'FunctionExpression':
      case 'ArrowFunctionExpression':
        return true;
      default:
        return false;
    }
  }

  #isHarmlessCall(node: Node): boolean {
    const callee = node['callee'] as Node;
    const name = nameOf(callee);
    if (name === 'guard' || HARMLESS_FUNCTIONS.has(name)) return true;
    const isBare = (node['arguments'] as Node[]).length === 0;
    const isMethod = callee.type === 'MemberExpression';
    if (isMethod && !this.#isHarmless(callee['object'] as Node)) return false;
    const isOwn = !isMethod || (callee['object'] as Node).type === 'ThisExpression';
    if (isOwn) return this.#isHarmlessName(name);
    return HARMLESS_METHODS.has(name) || (isBare && HARMLESS_BARE_METHODS.has(name));
  }
}

export function isFunction({ type }: Node): boolean {
  return type === 'ArrowFunctionExpression' || type === 'FunctionExpression' || type === 'FunctionDeclaration';
}

export function visitNode(node: unknown, act: (node: Node) => void): void {
  if (Array.isArray(node)) for (const each of node) visitNode(each, act);
  else if (typeof node === 'object' && node !== null) {
    if ('type' in node) act(node as Node);
    for (const value of Object.values(node)) visitNode(value, act);
  }
}

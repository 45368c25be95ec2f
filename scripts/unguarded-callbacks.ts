import { parseSync } from 'oxc-parser';
import { LocalFunctions, type Node, nameOf, isFunction, visitNode } from './local-functions.ts';

/**
 * Finds callbacks of sockets, streams, parsers and timers in a source that could throw into the event loop, which ends the
 * process for all tenants. A callback is accepted when it is `guard(…)`, when its whole body is one try/catch, or when it only
 * does what cannot fail: assign, and call methods such as `destroy()` or functions of the same file for which the same holds.
 */
export function findUnguardedCallbacks(file: string, source: string): UnguardedCallback[] {
  const { program, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0]!.message}`);
  const root = program as unknown as Node;
  const functions = new LocalFunctions(root);
  const found: UnguardedCallback[] = [];
  visitNode(root, (node) => {
    const registration = registrationOf(node);
    if (registration === undefined || functions.isBounded(registration.callback)) return;
    found.push({
      file,
      line: source.slice(0, node.start).split('\n').length,
      event: registration.event,
      code: source.slice(registration.callback.start, registration.callback.end).replaceAll(/\s+/gu, ' ').slice(0, 80),
    });
  });
  return found;
}

export interface UnguardedCallback {
  readonly file: string;
  readonly line: number;
  /** `on('data')`, `setTimeout`, … */
  readonly event: string;
  readonly code: string;
}

const LISTENING = new Set(['on', 'once', 'addListener', 'prependListener', 'addEventListener']);
const TIMING = new Set(['setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask', 'nextTick']);
/** Functions whose last argument is called for each connection or upgrade. */
const ACCEPTING = new Set(['createServer', 'handleUpgrade']);

// prettier-ignore

function registrationOf(node: Node): { readonly event: string; readonly callback: Node } | undefined {
  if (node.type === 'NewExpression' && nameOf(node['callee']) === 'Server') return callbackOf('new Server', last(node));
  if (node.type !== 'CallExpression') return undefined;
  const name = nameOf(node['callee']);
  const [first, second] = node['arguments'] as Node[];
  if (LISTENING.has(name) && first?.type === 'Literal') return callbackOf(`${name}('${String(first['value'])}')`, second);
  // That of a socket has the time first.
  if (TIMING.has(name)) return callbackOf(name, second !== undefined && isFunction(second) ? second : first);
  return ACCEPTING.has(name) ? callbackOf(name, last(node)) : undefined;
}

function callbackOf(event: string, callback: Node | undefined) {
  // An argument that is not a function, such as server options, is not a callback.
  return callback === undefined || callback.type === 'ObjectExpression' ? undefined : { event, callback };
}

function last(node: Node): Node | undefined {
  return (node['arguments'] as Node[]).at(-1);
}

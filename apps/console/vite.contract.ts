import type { Plugin } from 'vite';

const contractModule = /\/packages\/contract\/src\/(?!openapi)(?:[^/]+\/)?[^/]+\.ts$/u;
const usesZod = /^import (?!type\b).*'zod';$/mu;

/** Whether a file of the contract is sent as data, which imports nothing. */
export const becomesData = (id: string, code: string): boolean =>
  contractModule.test(id.replaceAll('\\', '/')) && usesZod.test(code);

/** Whether an object has numbers, texts and switches alone: limits and choices, which screens show. */
function isPlain(value: object): boolean {
  return (
    Object.getPrototypeOf(value) === Object.prototype &&
    Object.values(value).every((each) => typeof each !== 'object' && typeof each !== 'function')
  );
}

/** The parts of an operation that the console needs at run time; its schemas are for the type checker and the server. */
function contractFacts(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || isPlain(value)) return value;
  const { method, path, bodyKind } = value as Record<string, unknown>;
  return typeof method === 'string' && typeof path === 'string' ? { method, path, bodyKind } : undefined;
}

/** Lists, sets and objects of plain values stay; lists of operations are for the server. Schemas and functions that build schemas go. */
function plainData(value: unknown): unknown {
  if (Array.isArray(value)) return value.every((item) => typeof item !== 'object') ? value : [];
  if (value instanceof Set) return value;
  return typeof value === 'function' ? undefined : contractFacts(value);
}

const source = (value: unknown) => (value instanceof Set ? `new Set(${JSON.stringify([...value])})` : JSON.stringify(value));

/**
 * Ships the contract to the browser as data. Its schemas are 30 kB (gz) that a page would load before its first pixel,
 * only to check answers the server has checked against the same schemas in its tests. Types are untouched: the checker
 * reads the source, not what this plugin makes of it.
 */
export function contractAsData(): Plugin {
  return {
    name: 'contract-as-data',
    enforce: 'pre',
    async transform(code, id) {
      if (!becomesData(id, code)) return undefined;
      const module = (await import(`file://${id}`)) as Record<string, unknown>;
      const exports = Object.entries(module)
        .map(([name, value]) => [name, plainData(value)] as const)
        .filter(([, value]) => value !== undefined)
        .map(([name, value]) => `export const ${name} = ${source(value)};`);
      return { code: exports.join('\n'), map: null, moduleSideEffects: false };
    },
  };
}

import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { lazyCatalogues } from './late.ts';

const source = join(import.meta.dirname, '../..');
const usesLazy = new RegExp(`['"\`](${Object.keys(lazyCatalogues).join('|')})\\.[\\w$]`, 'gu');

interface Lazy {
  readonly file: string;
  /** The rooms whose words are fetched with it. */
  readonly namespaces: readonly string[];
}

interface Module {
  readonly uses: readonly string[];
  readonly imports: readonly string[];
  readonly lazy: readonly Lazy[];
}

const known = new Map<string, Module>();

function read(file: string): Module {
  const code = readFileSync(file, 'utf8');
  const at = (path: string) => join(dirname(file), path);
  const imports = [...code.matchAll(/^(?:import|export) (?!type\b)[^;]*?'(\.[^']+\.tsx?)';$/gmu)].map(([, path]) => at(path!));
  const lazy = [
    ...code.matchAll(/(?:withMessages\(\s*\[([^\]]*)\],\s*)?\(?(?:\(\) => |await )import\('(\.[^']+\.tsx?)'\)/gu),
  ].map(([, list = '', path]) => ({ file: at(path!), namespaces: [...list.matchAll(/\w+/gu)].map(([namespace]) => namespace) }));
  return { uses: [...code.matchAll(usesLazy)].map(([, namespace]) => namespace!), imports, lazy };
}

function moduleOf(file: string): Module {
  const module = known.get(file) ?? read(file);
  known.set(file, module);
  return module;
}

/** A module and everything that is there when it is: what it imports, and what that imports. */
function closure(file: string, seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(file) || /\.(?:en-US|zh-TW|test)\.ts$/u.test(file)) return seen;
  seen.add(file);
  for (const next of moduleOf(file).imports) closure(next, seen);
  return seen;
}

/** What a part of the console speaks without having fetched it; parts that it fetches later have its words, too. */
function missing(part: Lazy, has: readonly string[] = []): string[] {
  const available = [...has, ...part.namespaces];
  const files = [...closure(part.file)];
  const unknown = files.flatMap((file) =>
    moduleOf(file)
      .uses.filter((namespace) => !available.includes(namespace))
      .map((namespace) => `${part.file.slice(source.length + 1)}: '${namespace}', for ${file.slice(source.length + 1)}`),
  );
  return [...unknown, ...files.flatMap((file) => moduleOf(file).lazy.flatMap((next) => missing(next, available)))];
}

describe('words that come late', () => {
  test('every screen and dialog comes with the words of all rooms it shows something of', () => {
    expect([...new Set(missing({ file: join(source, 'main.tsx'), namespaces: [] }))]).toEqual([]);
    expect(known.size).toBeGreaterThan(200);
  });

  test('no screen fetches words that nothing on it speaks', () => {
    const routes = [...closure(join(source, 'app/router.ts'))].filter((file) => file.includes('/app/routes/'));
    const screens = routes.flatMap((file) => moduleOf(file).lazy);
    expect(screens.length).toBeGreaterThan(30);
    const usedBy = (file: string) => new Set([...closure(file)].flatMap((each) => moduleOf(each).uses));
    const idle = screens.flatMap(({ file, namespaces }) =>
      namespaces.filter((namespace) => !usedBy(file).has(namespace)).map((namespace) => `${file}: ${namespace}`),
    );
    expect(idle).toEqual([]);
  });
});

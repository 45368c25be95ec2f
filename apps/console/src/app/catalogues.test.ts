import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { lazyCatalogues } from '../i18n/i18n.ts';
import './catalogues.ts';

const source = join(import.meta.dirname, '..');
// Ids of calls are no texts.
const usesLazy = new RegExp(`(?<!useNotAllowed\\()['"\`](${Object.keys(lazyCatalogues).join('|')})\\.[\\w$]`, 'gu');

interface Lazy {
  readonly file: string;
  /** The namespaces that are loaded with it. */
  readonly namespaces: readonly string[];
}

interface Module {
  readonly uses: readonly string[];
  readonly imports: readonly string[];
  readonly lazy: readonly Lazy[];
}

const known = new Map<string, Module>();

const statementsOf = (code: string) =>
  [...code.matchAll(/^(?:import|export) (?!type\b)([^;]*?)'(\.[^']+\.tsx?)';$/gmu)].map(([, clause = '', path]) => ({
    names: clause.match(/\w+/gu) ?? [],
    path: path!,
  }));

/** The file itself, or those behind the index of a domain that these names come from. */
function behindIndex(file: string, names: readonly string[]): readonly string[] {
  if (!file.endsWith('/index.ts')) return [file];
  return statementsOf(readFileSync(file, 'utf8'))
    .filter((statement) => statement.names.some((name) => !/^(?:from|type)$/u.test(name) && names.includes(name)))
    .map(({ path }) => join(dirname(file), path));
}

function read(file: string): Module {
  const code = readFileSync(file, 'utf8');
  const at = (path: string) => join(dirname(file), path);
  const imports = statementsOf(code).flatMap(({ names, path }) => behindIndex(at(path), names));
  const lazy = [
    ...code.matchAll(/(?:(?:withMessages|screen)\(\s*\[([^\]]*)\],\s*)?\(?(?:\(\) => |await )import\('(\.[^']+\.tsx?)'\)/gu),
  ].map(([, list = '', path]) => ({ file: at(path!), namespaces: [...list.matchAll(/\w+/gu)].map(([namespace]) => namespace) }));
  return { uses: [...code.matchAll(usesLazy)].map(([, namespace]) => namespace!), imports, lazy };
}

function moduleOf(file: string): Module {
  const module = known.get(file) ?? read(file);
  known.set(file, module);
  return module;
}

/** A module with everything it imports, directly or indirectly. */
function closure(file: string, seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(file) || /\.(?:en-US|zh-TW|test)\.ts$/u.test(file)) return seen;
  seen.add(file);
  for (const next of moduleOf(file).imports) closure(next, seen);
  return seen;
}

/** The namespaces a part of the console uses without loading them; parts it loads lazily count as well. */
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

describe('lazy namespaces', () => {
  test('every screen and dialog loads all namespaces it uses', () => {
    expect([...new Set(missing({ file: join(source, 'main.tsx'), namespaces: [] }))]).toEqual([]);
    expect(known.size).toBeGreaterThan(200);
  });

  test('no screen loads a namespace it does not use', () => {
    const features = [...closure(join(source, 'app/router.ts'))].filter((file) => file.endsWith('/feature.ts'));
    const screens = features.flatMap((file) => moduleOf(file).lazy);
    expect(screens.length).toBeGreaterThan(30);
    const usedBy = (file: string) => new Set([...closure(file)].flatMap((each) => moduleOf(each).uses));
    const idle = screens.flatMap(({ file, namespaces }) =>
      namespaces.filter((namespace) => !usedBy(file).has(namespace)).map((namespace) => `${file}: ${namespace}`),
    );
    expect(idle).toEqual([]);
  });
});

import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { firstLoad, overBudget } from '../../vite.budget.ts';
import { cyclesOf } from '../../vite.cycles.ts';
import { closureOf } from '../../vite.first-files.ts';

type Bundle = Parameters<typeof firstLoad>[0];

interface Chunk {
  readonly facadeModuleId?: string;
  readonly code: string;
  readonly imports?: readonly string[];
  readonly dynamicImports?: readonly string[];
  readonly viteMetadata?: { readonly importedCss: ReadonlySet<string> };
}

const small = 'export {};';

/** A console of an entry, two languages and an overview; `table.js` is one more file of the build. */
function built(overview: Partial<Chunk>, table: string): Bundle {
  const chunks: Record<string, Chunk> = {
    'index.js': { facadeModuleId: '/apps/console/index.html', code: small, imports: ['react.js'] },
    'en.js': { facadeModuleId: '/apps/console/src/app/first-texts.en-US.ts', code: small },
    'zh.js': { facadeModuleId: '/apps/console/src/app/first-texts.zh-TW.ts', code: small },
    'overview.js': { facadeModuleId: '/apps/console/src/domains/overview/Overview.tsx', code: small, ...overview },
    'react.js': { code: small },
    'table.js': { code: table },
  };
  const style = { type: 'asset', fileName: 'overview.css', source: 'p { margin: 0 }' };
  const files = Object.entries(chunks).map(([fileName, chunk]) => [
    fileName,
    { type: 'chunk', fileName, imports: [], dynamicImports: [], moduleIds: [], ...chunk },
  ]);
  return Object.fromEntries([...files, ['overview.css', style]]) as Bundle;
}

/** As base64 it compresses to about as many bytes. */
const incompressible = (bytes: number) => randomBytes(bytes).toString('base64');

test('the imports of the overview count as its first load, scripts and styles; what it fetches later does not', () => {
  const overview = {
    imports: ['react.js'],
    dynamicImports: ['table.js'],
    viteMetadata: { importedCss: new Set(['overview.css']) },
  };
  const bundle = built(overview, incompressible(250_000));
  expect([...firstLoad(bundle, 'zh-TW').keys()].toSorted()).toEqual([
    'index.js',
    'overview.css',
    'overview.js',
    'react.js',
    'zh.js',
  ]);
  expect(overBudget(bundle)).toBeUndefined();
});

test('a build whose overview loads more than 200 kB is rejected, and the largest file named', () => {
  expect(overBudget(built({ imports: ['table.js'] }, incompressible(190_000)))).toBeUndefined();
  expect(overBudget(built({ imports: ['table.js'] }, incompressible(205_000)))).toMatch(
    /^\/dashboard in en-US loads \d+ bytes.*\n +\d+ +table\.js/u,
  );
});

test('the files that a page requests ahead are those that its modules import, and not those of every page', () => {
  const bundle = built({ imports: ['react.js', 'table.js'], viteMetadata: { importedCss: new Set(['overview.css']) } }, small);
  const common = closureOf(bundle, ['apps/console/index.html']);
  const files = [...closureOf(bundle, ['domains/overview/Overview.tsx'])].filter((file) => !common.has(file));
  expect(files.toSorted()).toEqual(['overview.css', 'overview.js', 'table.js']);
});

test('files that import each other are found, with their way; two ways to one file are none', () => {
  const acyclic = built({ imports: ['table.js', 'react.js'] }, small);
  expect(cyclesOf(acyclic)).toEqual([]);
  const chunks = { 'table.js': ['frame.js'], 'frame.js': ['list.js'], 'list.js': ['table.js'] };
  const files = Object.entries(chunks).map(([fileName, imports]) => [
    fileName,
    { type: 'chunk', fileName, name: fileName.slice(0, -3), code: small, imports, dynamicImports: [], moduleIds: [] },
  ]);
  expect(cyclesOf({ ...acyclic, ...Object.fromEntries(files) } as Bundle)).toEqual(['table, frame, list, table']);
});

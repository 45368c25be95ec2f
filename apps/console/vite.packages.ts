import { existsSync, globSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Rolldown } from 'vite';

// Each file of component tests loads these packages for itself. In one file instead of hundreds, they take a third of the processor time.
const PACKAGES: Readonly<Record<string, string>> = {
  page: 'happy-dom',
  query: '@tanstack/react-query',
  router: '@tanstack/react-router',
  user: '@testing-library/user-event',
};
const ICONS = '@tabler/icons-react';
/** What exports all icons, for `import`. */
const BARREL = `${ICONS}/dist/esm/tabler-icons-react.mjs`;
/** What exists once for the bundles and for those that are not bundled. */
const SHARED = ['react', 'react-dom', '@testing-library/dom', 'ws', 'whatwg-mimetype', 'buffer-image-size'];
/** Always here, so that compiled code is found by the next run. */
const FOLDER = join(import.meta.dirname, '../../.cache/packages');

/** Before the first component test: bundle the packages, and name for each its bundle, for scripts/tests/bundled-packages.mjs. */
export default async function bundlePackages(): Promise<void> {
  mkdirSync(FOLDER, { recursive: true });
  const icons = join(FOLDER, 'icons-entry.js');
  write(icons, entryOfIcons());
  const { output } = (await build({
    root: import.meta.dirname,
    configFile: false,
    logLevel: 'error',
    ssr: { noExternal: true, external: SHARED },
    build: {
      ssr: true,
      target: 'esnext',
      minify: false,
      write: false,
      rolldownOptions: {
        input: { ...PACKAGES, icons },
        output: { entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' },
      },
    },
  })) as Rolldown.RolldownOutput;
  for (const file of output) if (file.type === 'chunk') write(join(FOLDER, file.fileName), file.code);
  const bundle = (name: string) => pathToFileURL(join(FOLDER, `${name}.mjs`)).href;
  process.env['HIGHLINE_TEST_PACKAGES'] = JSON.stringify({
    ...Object.fromEntries(Object.entries(PACKAGES).map(([name, from]) => [from, bundle(name)])),
    [ICONS]: bundle('icons'),
    [BARREL]: bundle('icons'),
  });
}

/** The package has 6,000 icons; those that the console imports. */
function entryOfIcons(): string {
  const files = new Map(
    [
      ...readFileSync(createRequire(import.meta.url).resolve(BARREL), 'utf8').matchAll(
        /^export \{(.*)\} from '\.\/icons\/(\w+)\.mjs';$/gmu,
      ),
    ].flatMap(([, names = '', file = '']) =>
      names.split(',').map((name): [string, string] => [name.replace('default as', '').trim(), file]),
    ),
  );
  const sources = globSync('src/**/*.{ts,tsx}', { cwd: import.meta.dirname });
  const imported = sources.flatMap((file) =>
    [
      ...readFileSync(join(import.meta.dirname, file), 'utf8').matchAll(/import \{([^}]*)\} from '@tabler\/icons-react'/gu),
    ].flatMap(([, names = '']) => names.split(',').map((name) => name.trim().split(' ')[0]!)),
  );
  return [...new Set(imported)]
    .filter((name) => files.has(name))
    .toSorted()
    .map((name) => `export { default as ${name} } from '${ICONS}/dist/esm/icons/${files.get(name)}.mjs';\n`)
    .join('');
}

/** At once, as another run may read the file meanwhile. */
function write(file: string, content: string): void {
  if (existsSync(file) && readFileSync(file, 'utf8') === content) return;
  const own = `${file}.${process.pid}`;
  writeFileSync(own, content);
  renameSync(own, file);
}

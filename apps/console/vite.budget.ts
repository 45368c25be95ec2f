import { brotliCompressSync } from 'node:zlib';
import type { Plugin, Rolldown } from 'vite';
import { BEST, WORTH_IT } from './vite.compress.ts';

type Bundle = Rolldown.OutputBundle;

/** The compressed size limit of a first visit to the overview, in bytes (issue 2, "Console"). */
const MOST_BYTES = 200_000;

/** The modules that bring the first screen on, in one language. */
const firstScreen = (language: string) => [
  'apps/console/index.html',
  `apps/console/src/app/first-texts.${language}.ts`,
  'apps/console/src/domains/overview/Overview.tsx',
];

function chunkOf(bundle: Bundle, module: string): string {
  const found = Object.values(bundle).find((file) => file.type === 'chunk' && file.facadeModuleId?.endsWith(module));
  if (found === undefined) throw new Error(`The build has no file of its own for ${module}.`);
  return found.fileName;
}

/** A file and all that it imports, scripts and styles, before anything runs. */
function closure(bundle: Bundle, file: string, seen: Set<string>): void {
  if (seen.has(file)) return;
  seen.add(file);
  const chunk = bundle[file];
  if (chunk?.type !== 'chunk') return;
  for (const style of chunk.viteMetadata?.importedCss ?? []) seen.add(style);
  for (const next of chunk.imports) closure(bundle, next, seen);
}

function sentBytes(bundle: Bundle, file: string): number {
  const built = bundle[file];
  const content = Buffer.from((built?.type === 'chunk' ? built.code : built?.source) ?? '');
  return content.length < WORTH_IT ? content.length : brotliCompressSync(content, BEST).length;
}

/**
 * What the overview loads before it can show anything, in one language.
 * @returns each script and style with its bytes as they are sent to a browser: all that are supported take Brotli from HTTPS addresses
 */
export function firstLoad(bundle: Bundle, language: string): ReadonlyMap<string, number> {
  const files = new Set<string>();
  for (const module of firstScreen(language)) closure(bundle, chunkOf(bundle, module), files);
  return new Map([...files].map((file) => [file, sentBytes(bundle, file)]));
}

/** Why a build is too heavy, with the files that weigh most; undefined when it is not. */
export function overBudget(bundle: Bundle): string | undefined {
  for (const language of ['en-US', 'zh-TW']) {
    const files = [...firstLoad(bundle, language)].toSorted(([, one], [, other]) => other - one);
    const bytes = files.reduce((sum, [, size]) => sum + size, 0);
    const largest = files.slice(0, 10).map(([file, size]) => `  ${size}  ${file}`);
    if (bytes > MOST_BYTES)
      return `/dashboard in ${language} loads ${bytes} bytes, ${MOST_BYTES} at most:\n${largest.join('\n')}`;
  }
  return undefined;
}

/** Fails the build in which the overview weighs more than it may. */
export function withinBudget(): Plugin {
  return {
    name: 'within-budget',
    apply: 'build',
    enforce: 'post',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const reason = overBudget(bundle);
        if (reason !== undefined) this.error(reason);
      },
    },
  };
}

import { brotliCompressSync } from 'node:zlib';
import type { Plugin, Rolldown } from 'vite';
import { BEST, WORTH_IT } from './vite.compress.ts';
import { closureOf } from './vite.first-files.ts';

type Bundle = Rolldown.OutputBundle;

/** The compressed size limit of a first visit to the overview, in bytes (issue 2, "Console"). */
const MOST_BYTES = 200_000;

/** The modules that bring the first screen on, in one language. */
const firstScreen = (language: string) => [
  'apps/console/index.html',
  `apps/console/src/app/first-texts.${language}.ts`,
  'apps/console/src/domains/overview/Overview.tsx',
];

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
  const files = closureOf(bundle, firstScreen(language));
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

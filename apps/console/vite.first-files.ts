import type { Plugin, Rolldown } from 'vite';

type Bundle = Rolldown.OutputBundle;

/** What each page loads besides the console itself, with what it loads as soon as it runs. */
const PAGES: Readonly<Record<string, readonly string[]>> = {
  'en-US': ['src/app/first-texts.en-US.ts'],
  'zh-TW': ['src/app/first-texts.zh-TW.ts'],
  '/dashboard': ['domains/overview/Overview.tsx'],
  pins: ['domains/analysis/PinnedCharts.tsx'],
  '/devices/list': ['domains/devices/DeviceList.tsx'],
  '/organization': ['domains/organizations/OrganizationList.tsx'],
  '/map': ['domains/positions/MapScreen.tsx', 'domains/positions/VehicleMap.tsx'],
};

/** The font of most texts: Latin letters and digits. */
const FONT = /inter-latin-wght-normal-[^/]*\.woff2$/u;

/** The file of the build that has a module. */
function chunkOf(bundle: Bundle, module: string): string {
  const has = ({ facadeModuleId, moduleIds }: Rolldown.OutputChunk) =>
    facadeModuleId?.endsWith(module) === true || moduleIds.some((id) => id.endsWith(module));
  const found = Object.values(bundle).find((file) => file.type === 'chunk' && has(file));
  if (found === undefined) throw new Error(`No file of the build has ${module}.`);
  return found.fileName;
}

function closure(bundle: Bundle, file: string, seen: Set<string>): void {
  if (seen.has(file)) return;
  const chunk = bundle[file];
  if (chunk?.type !== 'chunk') return;
  seen.add(file);
  for (const next of chunk.imports) closure(bundle, next, seen);
  for (const style of chunk.viteMetadata?.importedCss ?? []) seen.add(style);
}

/** What these modules load before they run: files of the build, scripts and styles. */
export function closureOf(bundle: Bundle, modules: readonly string[]): Set<string> {
  const files = new Set<string>();
  for (const module of modules) closure(bundle, chunkOf(bundle, module), files);
  return files;
}

/** Addresses of the files of each language and of the pages that people open first, without those that every page loads. */
function firstFiles(bundle: Bundle): Readonly<Record<string, readonly string[]>> {
  const common = closureOf(bundle, ['apps/console/index.html']);
  const own = (modules: readonly string[]) =>
    [...closureOf(bundle, modules)].filter((file) => !common.has(file)).map((file) => `/${file}`);
  return Object.fromEntries(Object.entries(PAGES).map(([page, modules]) => [page, own(modules)]));
}

/** Names in the page of the console the files that public/first-calls.js requests ahead, and the font. */
export function firstFilesInPage(): Plugin {
  return {
    name: 'first-files',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle, path }) {
        if (bundle === undefined || path !== '/index.html') return undefined;
        const font = Object.keys(bundle).find((file) => FONT.test(file));
        return [
          {
            tag: 'script',
            attrs: { type: 'application/json', id: 'first-files' },
            children: JSON.stringify(firstFiles(bundle)),
            injectTo: 'head-prepend',
          },
          {
            tag: 'link',
            attrs: { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: true, href: `/${font}` },
            injectTo: 'head',
          },
        ];
      },
    },
  };
}

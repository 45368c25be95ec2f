import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { withinBudget } from './vite.budget.ts';
import { compressed } from './vite.compress.ts';
import { becomesData, contractAsData } from './vite.contract.ts';
import { entriesStandAlone } from './vite.entries.ts';
import { withoutCycles } from './vite.cycles.ts';
import { firstFilesInPage } from './vite.first-files.ts';

/** Where `npm run dev` sends the console's calls; the built console is served by the server itself. */
const server = process.env['HIGHLINE_DEV_SERVER'] ?? 'http://127.0.0.1:8080';

const source = resolve(import.meta.dirname, 'src');
const contract = resolve(import.meta.dirname, '../../packages/contract/src');

/** Each name that a file of the contract exports, with the file that declares it. */
function namesOf(file: string): readonly (readonly [name: string, file: string])[] {
  const text = readFileSync(file, 'utf8');
  const declared = [...text.matchAll(/^export (?:const|function) (\w+)/gmu)].map(([, name = '']) => [name, file] as const);
  const passedOn = [...text.matchAll(/^export \* (?:as (\w+) )?from '(.+)';$/gmu)].flatMap(([, namespace, path = '']) => {
    const from = resolve(dirname(file), path);
    return namespace === undefined ? namesOf(from) : [[namespace, from] as const];
  });
  return [...declared, ...passedOn];
}

const contractFiles = new Map(namesOf(join(contract, 'index.ts')));

/** The file itself, or those behind the index of a domain that these names come from. */
function behindIndex(file: string, names: string): readonly string[] {
  if (!/console[\\/]src[\\/]domains[\\/][^\\/]+[\\/]index\.ts$/u.test(file)) return [file];
  const requested = new Set(names.match(/\w+/gu));
  return [...readFileSync(file, 'utf8').matchAll(/^export \{([^}]*)\} from '([^']+)';$/gmu)].flatMap(
    ([, offered = '', path = '']) =>
      offered.match(/\w+/gu)?.some((name) => name !== 'type' && requested.has(name)) ? [resolve(dirname(file), path)] : [],
  );
}

/** Our modules that a file imports, directly or through others; types are not part of the build. */
function importsOf(file: string, found = new Set<string>()): ReadonlySet<string> {
  found.add(file);
  const text = readFileSync(file, 'utf8');
  if (becomesData(file, text)) return found;
  for (const [, names = '', path = ''] of text.matchAll(/^(?:im|ex)port (?!type )([^;']*)'([^']+)';/gmu)) {
    const imported = path.startsWith('.')
      ? behindIndex(resolve(dirname(file), path), names)
      : path === '@highline/contract'
        ? [...names.matchAll(/(?<!type )\b\w+/gu)].flatMap(([name]) => contractFiles.get(name) ?? [])
        : [];
    for (const next of imported) if (!found.has(next)) importsOf(next, found);
  }
  return found;
}

/** Modules of the sign-in page are not part of the main chunk, which that page would then load completely. */
const signIn = importsOf(join(source, 'account/main.tsx'));
/** What console and sign-in page begin with: a file each would be a request each. */
const THEME = /console[\\/]src[\\/]ui[\\/](?:controls[\\/](?:Button\.tsx|controls\.css)|base\.css|scheme\.ts)$/u;
/** What /docs begins with too, which has styles of its own. */
const COMMON =
  /vite[\\/]preload-helper|@fontsource-variable[\\/]inter[\\/]index\.css$|console[\\/]src[\\/](?:entities[\\/]devices[\\/]vehicle-name|ui[\\/](?:copy-text|language|percent|store|storage))\.ts$/u;
/** /docs is a page of its own, which loads nothing of the console. */
const docs = importsOf(join(source, 'docs/main.tsx'));
/** So does the page of a link that shows vehicles. */
const share = importsOf(join(source, 'share/main.tsx'));
const ofOtherPages = (id: string) =>
  docs.has(id) || signIn.has(id) || share.has(id) || id.endsWith('src/main.tsx') || /IconEye\w*\.mjs$/u.test(id);
/** What the console begins with. */
const first = importsOf(join(source, 'main.tsx'));
/** With its first screen, and what the frame shows after the page. */
const second = [
  'domains/overview/Overview.tsx',
  'domains/analysis/PinnedCharts.tsx',
  'domains/setup/SetupNote.tsx',
  'api/ListPage.tsx',
  'app/shell/header-parts.ts',
].reduce((found, file) => importsOf(join(source, file), new Set(found)), first);
const firstIcons = new Set(
  [...first].flatMap((file) => [...readFileSync(file, 'utf8').matchAll(/\bIcon[A-Z]\w+/gu)].map(([icon]) => icon)),
);
/** Calls that the second needs alone, and calls that neither needs. */
const secondCalls = new Set([...contractFiles.values()].filter((file) => second.has(file) && !first.has(file)));
const laterCalls = new Set([...contractFiles.values()].filter((file) => !second.has(file)));
/** Of these, what the sign-in page and that of a link call, which load no others. */
const callsOfOtherPages = new Set([...signIn, ...share].filter((file) => file.startsWith(contract) && !second.has(file)));
const ours = /console[\\/]src[\\/]|[\\/]icons[\\/]Icon|@tanstack[\\/](?:react-query|query-core)|i18next/u;

/** Icons that the frame does not show. */
const isLaterIcon = (id: string) => {
  const icon = /[\\/]icons[\\/](Icon\w+)\.mjs$/u.exec(id)?.[1];
  return icon !== undefined && !firstIcons.has(icon);
};
/** The table with its tools, the calls behind it, and what every list has of views: a file each would be sent uncompressed. The name of a row is for buttons of every page. */
const LIST =
  /console[\\/]src[\\/](?:ui[\\/](?:table[\\/](?!row-name)|filter[\\/])|ui[\\/](?:Check|OptionList)\.tsx?$|ui[\\/]check\.css$|api[\\/](?:DownloadButton|ListPage|ListTools|download)\.tsx?$|api[\\/]views[\\/](?:views\.api|useListView|addressOfView)\.ts$)/u;
/** What the overviews, the map and the lists of devices share. */
const FLEET =
  /console[\\/]src[\\/](?:entities[\\/](?:devices[\\/](?:device|devices\.api|device\.api|cells|devices|filters|list-filter|useTagFilter)|geofences[\\/](?:geofence\.api|useGeofenceFilter)|groups[\\/](?:group\.api|useGroupFilter))|domains[\\/]analysis[\\/]pins\.api)\.(?:tsx?|css)$|[\\/]icons[\\/]IconClockX\.mjs$/u;
/** The overviews, with what is below their first block: in a file of its own it would be shown 300 ms later, by the rules of React's Suspense. */
const OVERVIEW =
  /console[\\/]src[\\/]domains[\\/](?:overview[\\/](?!ColorChoice|color-choice|feature|index|overview\.lists|[\w-]+\.(?:en-US|zh-TW))|setup[\\/]LazySetupNote\.tsx|analysis[\\/]load\.ts)/u;
/** Charts of the overviews, pinned ones included, with the names in their titles. */
const CHARTS =
  /console[\\/]src[\\/](?:ui[\\/]chart[\\/]|ui[\\/]time[\\/]slots\.ts$|domains[\\/]reports[\\/](?:names|property|range)\.ts$)/u;

/** Fields of forms. */
const FIELDS = /console[\\/]src[\\/]ui[\\/](?:controls[\\/](?:Field|TextInput|inputs)|form[\\/]form\.css)/u;
/** What forms have around their fields, and what lists have that rows are picked from. */
const FORMS =
  /console[\\/]src[\\/](?:ui[\\/](?:FormDialog|TypedConfirm|sentences|form[\\/](?:Calendar|DateField|DraftOffer|PickField|SaveButton|TagsField|TwelveMonths|calendar|days|drafts|tags-field|useUnsavedChanges)|list[\\/](?:DeleteMode|SelectionBar|selection-bar|useSelection))|api[\\/](?:EntityForm|ListBar|Loaded|confirmed|rows-file|useDeletion|useEntityForm|useExplain|useFaults|useKeptDraft)|entities[\\/]jobs[\\/](?:bulk-jobs\.api|job|remove-rows|show-job|useJobTools|useJobs|useRemoval))\.(?:tsx?|css)$/u;
/** Fields of forms about devices. */
const DEVICE_FORMS =
  /console[\\/]src[\\/]entities[\\/](?:commands[\\/](?:command\.api|WaitSelect|WindowSelect)|groups[\\/](?:GroupSelect|useConfirmRestart)|jobs[\\/]Effect)\.tsx?$/u;

/** Files that the page of the console loads itself. */
const LOADED_BY_PAGE = /[\\/](?:common|contract|frame|mount|react|rolldown-runtime|router|theme)-[^\\/]+$/u;

export default defineConfig({
  plugins: [contractAsData(), react(), firstFilesInPage(), compressed(), withinBudget(), entriesStandAlone(), withoutCycles()],
  build: {
    target: 'es2023',
    // Fonts and icons stay files: our content policy allows data: fonts, but a cached file beats a longer stylesheet.
    assetsInlineLimit: 0,
    // The charting library is one chunk of 0.8 MB, loaded with the first chart, that of maps one of 1 MB.
    chunkSizeWarningLimit: 1_200,
    modulePreload: {
      polyfill: false,
      // What the page itself has loaded is not named again with each screen: a kilobyte of the first load.
      resolveDependencies: (_file, dependencies, { hostId }) =>
        hostId.includes('/frame-') ? dependencies.filter((file) => !LOADED_BY_PAGE.test(file)) : dependencies,
    },
    rolldownOptions: {
      // The index of a domain names files; who imports one of them must not load the others.
      treeshake: { moduleSideEffects: [{ test: /console[\\/]src[\\/]domains[\\/][^\\/]+[\\/]index\.ts$/u, sideEffects: false }] },
      input: {
        index: 'index.html',
        account: 'account.html',
        docs: 'docs.html',
        share: 'share.html',
        invalid: 'error_acc_invalid.html',
      },
      output: {
        codeSplitting: {
          groups: [
            // The sign-in page in the frame and the console around it share this file, so it is fetched once.
            // `optionalPart` runs while the files of other chunks begin, so it is with what it needs.
            {
              name: 'react',
              test: /^\0?rolldown[\\/]runtime|[\\/]icons-react[\\/]dist[\\/]esm[\\/](?:createReactComponent|defaultAttributes)\.mjs$|node_modules[\\/](react|react-dom|scheduler)[\\/]|console[\\/]src[\\/]ui[\\/]optional-part\.ts$/u,
            },
            { name: 'router', test: /node_modules[\\/]@tanstack[\\/](react-router|router-core|history|react-store|store)[\\/]/u },
            // What both pages begin with; in the file of an entry it would run that entry on the other page.
            { name: 'common', test: COMMON },
            { name: 'theme', tags: ['$initial'], test: THEME },
            // The sentences of the log in every language: for the log and the timeline.
            { name: 'log-texts', test: /contract[\\/]src[\\/](?:log-(?:sentences|texts)|[^\\/]+[\\/]log)\.ts$/u },
            { name: 'account-calls', test: (id: string) => callsOfOtherPages.has(id), includeDependenciesRecursively: false },
            // Calls of domains that the first page does not need: one file compresses better than one each.
            {
              name: 'calls',
              test: (id: string) => laterCalls.has(id),
              includeDependenciesRecursively: false,
            },
            { name: 'fleet', test: FLEET, includeDependenciesRecursively: false },
            { name: 'overview', test: OVERVIEW, includeDependenciesRecursively: false },
            {
              name: 'setup-note',
              test: /domains[\\/]setup[\\/](?:SetupNote\.tsx|setup\.api\.ts)$/u,
              includeDependenciesRecursively: false,
            },
            // Nearly every screen is a list; the overview has its table below the first block.
            {
              name: 'list',
              test: (id: string) => LIST.test(id) || secondCalls.has(id) || (isLaterIcon(id) && !ofOtherPages(id)),
              minShareCount: 2,
              includeDependenciesRecursively: false,
            },
            // What only maps need: names of towns, and the checks of shapes.
            { name: 'map-data', test: /contract[\\/]src[\\/](?:places[\\/]towns|geojson)\.ts$/u },
            // What forms check an address with.
            { name: 'email', test: /contract[\\/]src[\\/]email\.ts$/u, includeDependenciesRecursively: false },
            { name: 'contract', test: /packages[\\/]contract[\\/]src[\\/](?!openapi|.*zh-TW)/u },
            { name: 'charts', test: CHARTS, includeDependenciesRecursively: false },
            // All other shared modules of every page: one file instead of thirty compresses better and needs fewer requests.
            {
              name: 'frame',
              tags: ['$initial'],
              test: (id: string) => ours.test(id) && !ofOtherPages(id),
              includeDependenciesRecursively: false,
            },
            { name: 'fields', test: FIELDS, includeDependenciesRecursively: false },
            { name: 'forms', test: FORMS, includeDependenciesRecursively: false },
            { name: 'device-forms', test: DEVICE_FORMS, includeDependenciesRecursively: false },
          ],
        },
      },
    },
  },
  server: {
    proxy: Object.fromEntries(
      ['/terminal', '/dmp_aa', '/data_manager', '/vega_lite_manager', '/console', '/demo', '/openapi.json', '/metrics'].map(
        (path) => [path, { target: server, changeOrigin: false, ws: path === '/terminal' }],
      ),
    ),
  },
});

// The arrows of docs/ARCHITECTURE.md as rules.
const domain = '^apps/server/src/domains/([^/]+)/';
const consoleDomain = '^apps/console/src/domains/([^/]+)/';
/** Tools that may import the inside of the server, each with the reason. */
const measuredParts = {
  'bench/esims.ts': 'measures one pass of the eSIM engine over rows it wrote',
  'bench/logs.seed.ts': 'writes a chain of log entries with the hashes that the server would write',
  'bench/logs.writes.ts': 'measures a transaction with its audit entry and outbox row, without a call around it',
  'bench/mail.ts': 'measures raising events and delivering mails, without a call around them',
  'bench/reports.ts': 'opens the partitions that the server would open as days pass',
  'bench/rollouts.reconciler.ts': 'measures the pure decision about one router',
  'bench/settings.compare.ts': 'measures resolving and comparing settings of many devices, without a database',
  'scripts/fuzz/subject.ts': 'seals what it seeds under the master key of the server under test',
};
const exactly = (file) => `^${file.replaceAll('.', '\\.')}$`;

/** @param comment the sentence that a person reads when an import breaks the rule */
const rule = (name, comment, from, to) => ({ name, severity: 'error', comment, from, to });

/**
 * Domains of the console that import others, each only those of later rows and those that are not named: they import no other domain.
 * So no two need each other.
 */
const consoleOrder = [
  ['inventory', 'organizations'],
  ['colleagues', 'devices', 'overview', 'service'],
  ['alerts', 'analysis', 'esims', 'networks', 'positions', 'users'],
  ['permissions', 'remote-access', 'roles', 'router-settings'],
];
const consoleRows = [...consoleOrder.map((row) => row.join('|')), `(?!(?:${consoleOrder.flat().join('|')})/)[^/]+`];
const onlyDownwards = consoleRows.map((row, index) =>
  rule(
    `console-domains-in-order-${index + 1}`,
    'A domain of the console imports only domains of later rows of consoleOrder: move what both need into entities/.',
    { path: `^apps/console/src/domains/(${row})/`, pathNot: '\\.test\\.tsx?$' },
    {
      path: `^apps/console/src/domains/(${consoleRows.slice(0, index + 1).join('|')})/`,
      pathNot: '^apps/console/src/domains/$1/',
    },
  ),
);

export default {
  forbidden: [
    rule('no-cycles', 'Two files must not need each other: move what both need into a third file.', {}, { circular: true }),
    rule(
      'console-knows-contract-only',
      'The console shares only packages/contract with the server.',
      { path: '^apps/console/src' },
      { path: '^(apps/(server|router)|packages/(usp|image))/' },
    ),
    rule(
      'contract-stands-alone',
      'packages/contract describes calls; it imports nothing of ours.',
      { path: '^packages/contract' },
      { path: '^(apps/|packages/(usp|image)/)' },
    ),
    rule(
      'client-stands-alone',
      'packages/client runs in programs of others, in Node and in browsers: nothing of ours, no package and no part of Node.',
      { path: '^packages/client/src', pathNot: '\\.test\\.ts$' },
      { path: '^(apps/|packages/(?!client/)|node_modules/|node:)' },
    ),
    rule(
      'usp-stands-alone',
      'packages/usp holds records and messages: no I/O and no other package.',
      { path: '^packages/usp/src', pathNot: '\\.test\\.ts$' },
      { path: '^(apps/|packages/(contract|image)/|(node:)?(fs|net|http|https|dgram|tls|child_process)$)' },
    ),
    rule(
      'image-stands-alone',
      'packages/image makes and reads signed trailers: no I/O and no other package.',
      { path: '^packages/image/src', pathNot: '\\.test\\.ts$' },
      { path: '^(apps/|packages/(contract|usp)/|(node:)?(fs|net|http|https|dgram|tls|child_process)$)' },
    ),
    rule(
      'strict-agent-stands-alone',
      'The strict agent and the codec of packages/testkit are a second reading of TR-369: they share no code with our router or our encoder, so that a fault in them shows. Only fixtures/ may import the server and the router.',
      { path: '^packages/testkit', pathNot: '^packages/testkit/src/fixtures/' },
      { path: '^(apps/|packages/(usp|contract|image)/|packages/testkit/src/fixtures/)' },
    ),
    rule(
      'fixtures-of-testkit-are-thin',
      'packages/testkit/src/fixtures/ names what tests share; it is made in the testing/ folder of the server or the router.',
      { path: '^packages/testkit/src/fixtures/' },
      { path: '^(apps|packages)/', pathNot: ['^apps/(server|router)/src/testing/', '^apps/router/src/index\\.ts$'] },
    ),
    rule(
      'testkit-is-for-tests',
      'Only tests and tools use packages/testkit; nothing that is shipped may.',
      { path: '^(apps|packages)/', pathNot: ['^packages/testkit', '\\.test\\.ts$', '/testing/'] },
      { path: '^packages/testkit' },
    ),
    rule(
      'tests-of-apps-use-their-own-fixtures',
      'Tests of the server and the router take fixtures from testing/; of packages/testkit they use the strict agent and its codec only.',
      { path: '^(apps|packages/(?!testkit))' },
      { path: '^packages/testkit/src/fixtures/' },
    ),
    rule(
      'tools-use-testkit',
      'bench/, e2e/ and scripts/ import @highline/testkit/…, not the inside of an app. A benchmark that measures a part by itself is listed in measuredParts, with the reason.',
      { path: '^(bench|e2e|scripts)/', pathNot: Object.keys(measuredParts).map(exactly) },
      { path: '^apps/[^/]+/src/' },
    ),
    rule(
      'router-knows-usp-and-image-only',
      'A router speaks USP and checks images; it never imports the server, the console or the contract.',
      { path: '^apps/router/src' },
      { path: '^(apps/(server|console)|packages/contract)/' },
    ),
    rule(
      'server-does-not-know-router',
      'The server and routers meet over TR-369 only; tests may start a router.',
      { path: '^apps/server/src', pathNot: ['\\.test\\.ts$', '/testing/'] },
      { path: '^apps/(router|console)/' },
    ),
    rule(
      'kernel-imports-nothing',
      'kernel/ is what every zone may use: no I/O, no domain, and nothing but itself. Put what needs a port into platform/.',
      { path: '^apps/server/src/kernel/', pathNot: '\\.test\\.ts$' },
      { path: '^apps/server/src/(?!kernel/)' },
    ),
    rule(
      'platform-has-no-domain',
      'platform/ serves every domain alike: it imports itself and kernel/. compose/ gives it what belongs to a domain.',
      { path: '^apps/server/src/platform/', pathNot: '\\.test\\.ts$' },
      { path: '^apps/server/src/(?!platform/|kernel/)' },
    ),
    rule(
      'transport-has-no-domain',
      'http/, events/, tunnels/ and upgrades/ carry every domain alike and import none: compose/ gives them what they call. transport/usp/ may name the types of the services that compose/ gives it (.oxlintrc.json rejects values).',
      { path: '^apps/server/src/transport/', pathNot: ['\\.test\\.ts$', '^apps/server/src/transport/usp/'] },
      { path: '^apps/server/src/(?!transport/|platform/|kernel/)' },
    ),
    rule(
      'usp-imports-no-outer-zone',
      'transport/usp/ imports transport/, platform/, kernel/ and the types of domains.',
      { path: '^apps/server/src/transport/usp/', pathNot: '\\.test\\.ts$' },
      { path: '^apps/server/src/(?!transport/|platform/|kernel/|domains/)' },
    ),
    rule(
      'transports-share-upgrades-only',
      'Two transports share transport/upgrades/ only; what else both need belongs into platform/.',
      { path: '^apps/server/src/transport/([^/]+)/', pathNot: '\\.test\\.ts$' },
      { path: '^apps/server/src/transport/', pathNot: '^apps/server/src/transport/($1|upgrades)/' },
    ),
    rule(
      'domains-do-not-know-transport',
      'A domain reaches routers and browsers through platform/ (ports/device-link, calls/, outbox/), never through transport/.',
      { path: '^apps/server/src/domains/', pathNot: ['\\.test\\.ts$', '/testing/'] },
      { path: '^apps/server/src/(?!domains/|platform/|kernel/)' },
    ),
    rule(
      'domains-meet-at-index',
      "Domains meet through index.ts; do not import another domain's files.",
      { path: domain },
      { path: '^apps/server/src/domains/([^/]+)/', pathNot: ['^apps/server/src/domains/$1/', '/index\\.ts$'] },
    ),
    rule(
      'others-use-index-of-domains',
      'Outside domains/, import a domain through its index.ts.',
      {
        path: '^(apps/server/src|bench|e2e|scripts)/',
        pathNot: ['^apps/server/src/domains/', ...Object.keys(measuredParts).map(exactly)],
      },
      { path: '^apps/server/src/domains/[^/]+/(?!index\\.ts$)' },
    ),
    rule(
      'only-compose-knows-adapters',
      'Only compose/, and the programs that compose (main.ts, cli/, demo/), may know an adapter; everything else takes a port.',
      {
        path: '^apps/server/src/',
        pathNot: ['^apps/server/src/(main\\.ts$|(compose|cli|demo|testing|platform/adapters)/)', '\\.test\\.ts$'],
      },
      { path: '^apps/server/src/platform/adapters/' },
    ),
    rule(
      'no-import-of-compose',
      'compose/ is the top: only main.ts and the fixtures of tests start it.',
      { path: '^apps/server/src/', pathNot: ['^apps/server/src/(main\\.ts$|(compose|testing)/)', '\\.test\\.ts$'] },
      { path: '^apps/server/src/compose/' },
    ),
    rule(
      'demo-and-cli-are-leaves',
      'demo/ and cli/ are programs on top of the server: only main.ts starts the demo, and nothing imports the cli.',
      {
        path: '^apps/server/src/',
        pathNot: ['^apps/server/src/(main\\.ts$|(demo|cli|testing)/)', '\\.test\\.ts$'],
      },
      { path: '^apps/server/src/(demo|cli)/' },
    ),
    rule(
      'fixtures-are-for-tests',
      'testing/ holds fixtures; nothing that is shipped imports them.',
      { path: '^(apps|packages)/', pathNot: ['\\.test\\.tsx?$', '/testing/', '^packages/testkit/'] },
      { path: '/src/testing/' },
    ),
    rule(
      'stores-are-private',
      'Only the service of the same domain may use a store.',
      { path: '^apps/server/src/domains/[^/]+/.*routes\\.ts$' },
      { path: '\\.store\\.ts$' },
    ),
    rule(
      'console-ui-knows-no-domain',
      'console ui/ is made of parts any product could use; it imports nothing above it, and of i18n/ the hook `#i18n` alone. Its tests show them in a language.',
      { path: '^apps/console/src/ui/', pathNot: '\\.test\\.tsx$' },
      {
        path: '^apps/console/src/(api|entities|domains|app|routing|session|i18n)/',
        pathNot: '^apps/console/src/i18n/use-translation\\.ts$',
      },
    ),
    rule(
      'console-session-has-no-domain',
      'routing/, session/ and api/ serve every domain of the console and import none.',
      { path: '^apps/console/src/(routing|session|api)/' },
      { path: '^apps/console/src/(entities|domains|app)/' },
    ),
    rule(
      'console-api-knows-no-pages',
      'api/ has the calls and who is signed in, in api/session.ts; session/ has the pages for those who are not.',
      { path: '^apps/console/src/api/' },
      { path: '^apps/console/src/session/' },
    ),
    rule(
      'console-entities-know-no-domain',
      'entities/ has what several domains share of a thing: its names, pickers and small reads. What needs a domain belongs to that domain.',
      { path: '^apps/console/src/entities/' },
      { path: '^apps/console/src/(domains|app)/' },
    ),
    rule(
      'console-domains-do-not-know-app',
      'A domain of the console is given its place by app/; who is signed in is in api/session.ts, texts are in i18n/.',
      { path: '^apps/console/src/domains/' },
      { path: '^apps/console/src/app/' },
    ),
    rule(
      'console-domains-meet-at-index',
      "Domains of the console meet through index.ts; do not import another domain's files, its style sheets excepted. What several need of a thing belongs into entities/.",
      { path: consoleDomain, pathNot: '\\.test\\.tsx?$' },
      { path: consoleDomain, pathNot: ['^apps/console/src/domains/$1/', '/index\\.ts$', '\\.css$'] },
    ),
    ...onlyDownwards,
    rule(
      'console-others-use-index-or-feature',
      'Outside domains/, a domain of the console is imported through index.ts or, by app/, through its feature.ts, palette.ts and catalogues.',
      { path: '^apps/console/src/(?!domains/)', pathNot: '\\.test\\.tsx?$' },
      { path: `${consoleDomain}(?!(index|feature|palette)\\.ts$)`, pathNot: '\\.(en-US|zh-TW)\\.ts$' },
    ),
    rule(
      'console-i18n-knows-no-texts',
      'i18n/ shows texts in a language; app/ collects them.',
      { path: '^apps/console/src/i18n/', pathNot: '\\.test\\.ts$' },
      { path: '^apps/console/src/(api|entities|domains|app|routing|session)/' },
    ),
    rule(
      'no-tests-in-code',
      'Code must not import a test.',
      { pathNot: '\\.(test|spec)\\.tsx?$' },
      { path: '\\.(test|spec)\\.tsx?$' },
    ),
    rule(
      'declared-dependencies-only',
      'Declare what you import in the package.json of your own workspace.',
      {},
      { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(dist|node_modules/(?!@highline))' },
    tsPreCompilationDeps: true,
    combinedDependencies: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.json', '.d.ts'],
    },
  },
};

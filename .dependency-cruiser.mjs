// The arrows of docs/ARCHITECTURE.md as rules. Each `comment` is the sentence a person reads when an import breaks one.
const domain = '^apps/server/src/domains/([^/]+)/';
/** Tools that may import the inside of the server, each with the reason. */
const measuredParts = {
  'scripts/bench/esims.ts': 'measures one pass of the eSIM engine over rows it wrote',
  'scripts/bench/logs.seed.ts': 'writes a chain of log entries with the hashes that the server would write',
  'scripts/bench/logs.writes.ts': 'measures a transaction with its audit entry and outbox row, without a call around it',
  'scripts/bench/mail.ts': 'measures raising events and delivering mails, without a call around them',
  'scripts/bench/reports.seed.ts': 'opens the partitions that the server would open as days pass',
  'scripts/bench/rollouts.reconciler.ts': 'measures the pure decision about one router',
  'scripts/fuzz/shaped.ts': 'shapes hostile input by the JSON schema that the server publishes',
  'scripts/fuzz/subject.ts': 'seals what it seeds under the master key of the server under test',
};
const exactly = (file) => `^${file.replaceAll('.', '\\.')}$`;

export default {
  forbidden: [
    {
      name: 'no-cycles',
      severity: 'error',
      comment: 'Two files must not need each other: move what both need into a third file.',
      from: {},
      to: { circular: true },
    },
    {
      name: 'console-knows-contract-only',
      severity: 'error',
      comment: 'The console shares only packages/contract with the server.',
      from: { path: '^apps/console/src' },
      to: { path: '^(apps/(server|router)|packages/(usp|image))/' },
    },
    {
      name: 'contract-stands-alone',
      severity: 'error',
      comment: 'packages/contract describes calls; it imports nothing of ours.',
      from: { path: '^packages/contract' },
      to: { path: '^(apps/|packages/(usp|image)/)' },
    },
    {
      name: 'usp-stands-alone',
      severity: 'error',
      comment: 'packages/usp holds records and messages: no I/O and no other package.',
      from: { path: '^packages/usp/src', pathNot: '\\.test\\.ts$' },
      to: { path: '^(apps/|packages/(contract|image)/|(node:)?(fs|net|http|https|dgram|tls|child_process)$)' },
    },
    {
      name: 'image-stands-alone',
      severity: 'error',
      comment: 'packages/image makes and reads signed trailers: no I/O and no other package.',
      from: { path: '^packages/image/src', pathNot: '\\.test\\.ts$' },
      to: { path: '^(apps/|packages/(contract|usp)/|(node:)?(fs|net|http|https|dgram|tls|child_process)$)' },
    },
    {
      name: 'strict-agent-stands-alone',
      severity: 'error',
      comment:
        'The strict agent and the codec of packages/testkit are a second reading of TR-369: they share no code with our router or our encoder, so that a fault in them shows. Only fixtures/ may import the server and the router.',
      from: { path: '^packages/testkit', pathNot: '^packages/testkit/src/fixtures/' },
      to: { path: '^(apps/|packages/(usp|contract|image)/|packages/testkit/src/fixtures/)' },
    },
    {
      name: 'fixtures-of-testkit-are-thin',
      severity: 'error',
      comment:
        'packages/testkit/src/fixtures/ names what tests share; it is made in the testing/ folder of the server or the router.',
      from: { path: '^packages/testkit/src/fixtures/' },
      to: { path: '^(apps|packages)/', pathNot: ['^apps/(server|router)/src/testing/', '^apps/router/src/index\\.ts$'] },
    },
    {
      name: 'testkit-is-for-tests',
      severity: 'error',
      comment: 'Only tests and tools use packages/testkit; nothing that is shipped may.',
      from: { path: '^(apps|packages)/', pathNot: ['^packages/testkit', '\\.test\\.ts$', '/testing/'] },
      to: { path: '^packages/testkit' },
    },
    {
      name: 'tests-of-apps-use-their-own-fixtures',
      severity: 'error',
      comment:
        'Tests of the server and the router take fixtures from testing/; of packages/testkit they use the strict agent and its codec only.',
      from: { path: '^(apps|packages/(?!testkit))' },
      to: { path: '^packages/testkit/src/fixtures/' },
    },
    {
      name: 'tools-use-testkit',
      severity: 'error',
      comment:
        'e2e/ and scripts/ import @highline/testkit/…, not the inside of an app. A benchmark that measures a part by itself is listed in measuredParts, with the reason.',
      from: { path: '^(e2e|scripts)/', pathNot: Object.keys(measuredParts).map(exactly) },
      to: { path: '^apps/[^/]+/src/' },
    },
    {
      name: 'router-knows-usp-and-image-only',
      severity: 'error',
      comment: 'A router speaks USP and checks images; it never imports the server, the console or the contract.',
      from: { path: '^apps/router/src' },
      to: { path: '^(apps/(server|console)|packages/contract)/' },
    },
    {
      name: 'server-does-not-know-router',
      severity: 'error',
      comment: 'The server and routers meet over TR-369 only; tests may start a router.',
      from: { path: '^apps/server/src', pathNot: ['\\.test\\.ts$', '^apps/server/src/testing/'] },
      to: { path: '^apps/(router|console)/' },
    },
    {
      name: 'kernel-imports-nothing',
      severity: 'error',
      comment:
        'kernel/ is what every zone may use: no I/O, no domain, and nothing but itself. Put what needs a port into platform/.',
      from: { path: '^apps/server/src/kernel/', pathNot: '\\.test\\.ts$' },
      to: { path: '^apps/server/src/(?!kernel/)' },
    },
    {
      name: 'platform-has-no-domain',
      severity: 'error',
      comment: 'platform/ serves every domain alike: it imports itself and kernel/. compose/ gives it what belongs to a domain.',
      from: { path: '^apps/server/src/platform/', pathNot: '\\.test\\.ts$' },
      to: { path: '^apps/server/src/(?!platform/|kernel/)' },
    },
    {
      name: 'transport-has-no-domain',
      severity: 'error',
      comment:
        'http/, events/, tunnels/ and upgrades/ carry every domain alike and import none: compose/ gives them what they call. transport/usp/ may name the types of the services that compose/ gives it (.oxlintrc.json refuses values).',
      from: { path: '^apps/server/src/transport/', pathNot: ['\\.test\\.ts$', '^apps/server/src/transport/usp/'] },
      to: { path: '^apps/server/src/(?!transport/|platform/|kernel/)' },
    },
    {
      name: 'usp-imports-no-outer-zone',
      severity: 'error',
      comment: 'transport/usp/ imports transport/, platform/, kernel/ and the types of domains.',
      from: { path: '^apps/server/src/transport/usp/', pathNot: '\\.test\\.ts$' },
      to: { path: '^apps/server/src/(?!transport/|platform/|kernel/|domains/)' },
    },
    {
      name: 'transports-share-upgrades-only',
      severity: 'error',
      comment: 'Two transports share transport/upgrades/ only; what else both need belongs into platform/.',
      from: { path: '^apps/server/src/transport/([^/]+)/', pathNot: '\\.test\\.ts$' },
      to: { path: '^apps/server/src/transport/', pathNot: '^apps/server/src/transport/($1|upgrades)/' },
    },
    {
      name: 'domains-do-not-know-transport',
      severity: 'error',
      comment:
        'A domain reaches routers and browsers through platform/ (ports/device-link, calls/, outbox/), never through transport/.',
      from: { path: '^apps/server/src/domains/', pathNot: '\\.test\\.ts$' },
      to: { path: '^apps/server/src/(?!domains/|platform/|kernel/)' },
    },
    {
      name: 'domains-meet-at-index',
      severity: 'error',
      comment: "Domains meet through index.ts; do not import another domain's files.",
      from: { path: domain },
      to: { path: '^apps/server/src/domains/([^/]+)/', pathNot: ['^apps/server/src/domains/$1/', '/index\\.ts$'] },
    },
    {
      name: 'others-use-index-of-domains',
      severity: 'error',
      comment: 'Outside domains/, import a domain through its index.ts.',
      from: {
        path: '^(apps/server/src|e2e|scripts)/',
        pathNot: ['^apps/server/src/domains/', ...Object.keys(measuredParts).map(exactly)],
      },
      to: { path: '^apps/server/src/domains/[^/]+/(?!index\\.ts$)' },
    },
    {
      name: 'only-compose-knows-adapters',
      severity: 'error',
      comment:
        'Only compose/, and the programs that compose (main.ts, cli/, demo/), may know an adapter; everything else takes a port.',
      from: {
        path: '^apps/server/src/',
        pathNot: ['^apps/server/src/(main\\.ts$|(compose|cli|demo|testing|platform/adapters)/)', '\\.test\\.ts$'],
      },
      to: { path: '^apps/server/src/platform/adapters/' },
    },
    {
      name: 'no-import-of-compose',
      severity: 'error',
      comment: 'compose/ is the top: only main.ts and the fixtures of tests start it.',
      from: { path: '^apps/server/src/', pathNot: ['^apps/server/src/(main\\.ts$|(compose|testing)/)', '\\.test\\.ts$'] },
      to: { path: '^apps/server/src/compose/' },
    },
    {
      name: 'demo-and-cli-are-leaves',
      severity: 'error',
      comment:
        'demo/ and cli/ are programs on top of the server: only main.ts and compose/ start the demo, and nothing imports the cli.',
      from: {
        path: '^apps/server/src/',
        pathNot: ['^apps/server/src/(main\\.ts$|(compose|demo|cli|testing)/)', '\\.test\\.ts$'],
      },
      to: { path: '^apps/server/src/(demo|cli)/' },
    },
    {
      name: 'fixtures-are-for-tests',
      severity: 'error',
      comment: 'testing/ holds fixtures; nothing that is shipped imports them.',
      from: { path: '^(apps|packages)/', pathNot: ['\\.test\\.tsx?$', '/testing/', '^packages/testkit/'] },
      to: { path: '/src/testing/' },
    },
    {
      name: 'stores-are-private',
      severity: 'error',
      comment: 'Only the service of the same domain may use a store.',
      from: { path: '^apps/server/src/domains/[^/]+/.*routes\\.ts$' },
      to: { path: '\\.store\\.ts$' },
    },
    {
      name: 'console-ui-knows-no-domain',
      severity: 'error',
      comment: 'console ui/ is made of parts any product could use; it imports no domain.',
      from: { path: '^apps/console/src/ui/' },
      to: { path: '^apps/console/src/(domains|app|session|i18n)/' },
    },
    {
      name: 'console-domains-do-not-know-app',
      severity: 'error',
      comment: 'A domain of the console is given its place by app/; who is signed in is in session/, texts are in i18n/.',
      from: { path: '^apps/console/src/(domains|session|api|ui)/' },
      to: { path: '^apps/console/src/app/' },
    },
    {
      name: 'console-session-has-no-domain',
      severity: 'error',
      comment: 'session/ and api/ serve every domain of the console and import none.',
      from: { path: '^apps/console/src/(session|api)/' },
      to: { path: '^apps/console/src/(domains|app)/' },
    },
    {
      name: 'console-i18n-imports-texts-only',
      severity: 'error',
      comment:
        'i18n/ collects the texts of all domains; it imports their catalogues (*.en-US.ts, *.zh-TW.ts) and no other file of theirs.',
      from: { path: '^apps/console/src/i18n/', pathNot: '\\.test\\.ts$' },
      to: { path: '^apps/console/src/(domains|app|session)/', pathNot: '\\.(en-US|zh-TW)\\.ts$' },
    },
    {
      name: 'no-tests-in-code',
      severity: 'error',
      comment: 'Code must not import a test.',
      from: { pathNot: '\\.(test|spec)\\.tsx?$' },
      to: { path: '\\.(test|spec)\\.tsx?$' },
    },
    {
      name: 'declared-dependencies-only',
      severity: 'error',
      comment: 'Declare what you import in the package.json of your own workspace.',
      from: {},
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    },
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

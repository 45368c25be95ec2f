import { createFolderBlobs } from '../platform/adapters/blobs/folder.ts';
import { createDatabase } from '../platform/adapters/database.ts';
import type { OpenedDatabase } from '../platform/adapters/postgres/connect.ts';
import { createSeal } from '../domains/configs/index.ts';
import { createCodeSeal } from '../domains/esims/index.ts';
import type { Clock, Log } from '../platform/ports/index.ts';
import { StartupError } from '../platform/settings/settings-file.ts';
import { type Settings } from '../platform/settings/settings.ts';
import { demoPassword } from './fleet-data.ts';
import { registerDemoOutbox } from './outbox.ts';
import { startDispatcher } from './dispatcher.ts';
import { startDemoFleet, type FleetOptions, type RunningFleet } from './fleet.ts';
import { allowReceiver, startReceiver, type DemoReceiver } from './webhooks.ts';
import { seedDemo, type DemoManner } from './seed.ts';
import { demoSigningKey, type DemoSigningKey } from './signing-key.ts';

export interface Demo {
  /** The settings to serve with: the demo also trusts its own signing key, and its calls may go to this machine. */
  readonly settings: Settings;
  /** Register the demo's own pages; undefined in production. */
  readonly registerPages: typeof registerDemoOutbox | undefined;
  /** Start the receiver of the demo; before the server sends any. */
  startReceiver(log: Log): Promise<Pick<DemoReceiver, 'stop'>>;
  startFleet(port: number, log: Log, options?: FleetOptions): Promise<RunningFleet>;
  /** Printed once everything runs. */
  welcome(port: number): string;
}

const MARK = 'demo';

/**
 * Determine the purpose of a database before anything is served from it: the demo fills an empty one and marks it; production
 * rejects a marked one, whose passwords are public; the demo rejects a real one.
 * @throws StartupError
 */
export async function prepareDemo(
  settings: Settings,
  opened: OpenedDatabase,
  clock: Clock,
  { hasPast = true, pace = 1 }: Partial<DemoManner> = {},
): Promise<Demo> {
  const state = await opened.withOwner(async (client) => {
    const marks = await client.query<{ value: string }>(
      'select value #>> array[]::text[] as value from installation where key = $1',
      [MARK],
    );
    const accounts = await client.query('select 1 from main_accounts limit 1');
    return { mark: marks.rows[0]?.value, filled: accounts.rows.length > 0 };
  });
  if (settings.mode === 'serve') {
    if (state.mark !== undefined)
      throw new StartupError(
        'This database was made by the demo, and its passwords are public. Give production its own database.',
      );
    const nothing = { stop: async () => {} };
    return {
      settings,
      registerPages: undefined,
      startReceiver: async () => nothing,
      startFleet: async () => nothing,
      welcome: () => '',
    };
  }
  if (state.filled && state.mark === undefined)
    throw new StartupError('This database belongs to a real installation; the demo runs only in an empty one.');
  const signingKey = demoSigningKey(settings.dataDir);
  if (state.mark !== 'complete')
    await fill(settings, opened, clock, signingKey, { halfDone: state.mark !== undefined, hasPast, pace });
  const publicKeys = [...settings.firmware.publicKeys, signingKey.publicKey];
  const publicPem = signingKey.publicKey.export({ type: 'spki', format: 'pem' }).toString();
  return {
    settings: { ...settings, firmware: { ...settings.firmware, publicKeys }, webhooks: allowReceiver(settings.webhooks) },
    registerPages: registerDemoOutbox,
    startReceiver: (log) => startReceiver(opened, log),
    async startFleet(port, log, options) {
      const fleet = await startDemoFleet({ ...settings, publicPem }, port, log, { pace, ...options });
      if (!hasPast) return fleet;
      const dispatcher = startDispatcher({ database: createDatabase(opened.pool, () => {}), clock, log });
      return {
        async stop() {
          await Promise.all([dispatcher.stop(), fleet.stop()]);
        },
      };
    },
    welcome,
  };
}

/** Marked before it is filled: a database that an interrupted start half filled must not be taken for a real one. */
async function fill(
  settings: Settings,
  opened: OpenedDatabase,
  clock: Clock,
  signingKey: DemoSigningKey,
  { halfDone, ...manner }: DemoManner & { readonly halfDone: boolean },
): Promise<void> {
  const mark = (value: string) =>
    opened.withOwner((client) =>
      client.query(
        'insert into installation (key, value) values ($1, to_jsonb($2::text)) on conflict (key) do update set value = excluded.value',
        [MARK, value],
      ),
    );
  await mark('begun');
  if (halfDone)
    await opened.withOwner((client) =>
      client.query(
        'truncate main_accounts, organizations, accounts, groups, routers, router_ownership, devices, audit_entries, audit_heads, audit_cuts, audit_devices, router_events, outbox, mails, rate_windows, router_facts, telemetry, telemetry_reports, connectivity cascade',
      ),
    );
  const database = createDatabase(opened.pool, () => {});
  const blobs = createFolderBlobs(settings.firmware.folder);
  const seal = createSeal(settings.masterKey);
  const codes = createCodeSeal(settings.masterKey);
  await seedDemo({ database, clock, blobs, seal, codes, signingKey }, settings.masterKey, manner);
  await mark('complete');
}

function welcome(port: number): string {
  return `
  Highline runs at  http://127.0.0.1:${port}

    main account    main@highline.demo
    admin           admin@highline.demo
    user            user@highline.demo
    password        ${demoPassword}
    mails           http://127.0.0.1:${port}/demo/outbox

  36 simulated routers are connecting. Ctrl-C stops everything.

`;
}

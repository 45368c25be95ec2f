import { defineConfig } from '@playwright/test';
import { findChromium } from './scripts/machine.mjs';
import { useRunFolder } from './scripts/tests/run-folder.mjs';

useRunFolder();

/** Whole servers of their own, killed and started again. */
const processes = '**/{kill,first-customer}.spec.ts';

/**
 * What concerns every screen: each look, hostile text, what all forms, lists and files have in common, and the tasks that are done
 * by keyboard across them; the gallery; and maps, which a machine without a graphics card draws in software.
 */
const screens =
  '**/{coverage,csv,forms,gallery,geofence*,hostile,looks,map*,navigation,own-map,program-states,shared,tasks,trail}.spec.ts';

/** Browser tests against one real server (e2e/server.setup.ts); every spec makes its own main account, so files may run side by side. */
export default defineConfig({
  testDir: 'e2e',
  projects: [
    { name: 'browser', testMatch: '**/*.spec.ts', testIgnore: [processes, screens] },
    { name: 'processes', testMatch: processes },
    { name: 'screens', testMatch: screens },
  ],
  // Pictures of the gallery; their names carry no platform, the fonts ship with the console.
  snapshotPathTemplate: '{testDir}/pictures/{arg}{ext}',
  globalSetup: './e2e/server.setup.ts',
  // More than cores: many tests wait for a router or a clock meanwhile.
  workers: 3,
  fullyParallel: false,
  // A slow machine is no fault. The limits of each wait name what was awaited; that of a test is for what hangs without one.
  timeout: 900_000,
  expect: { timeout: 60_000, toPass: { timeout: 120_000 } },
  forbidOnly: process.env['CI'] === 'true',
  retries: 1,
  reporter: 'list',
  outputDir: 'test-results',
  // Node reads our TypeScript by itself; to translate the server again for each worker costs eight seconds of processor time.
  build: { external: ['**/apps/**', '**/packages/**'] },
  use: {
    actionTimeout: 120_000,
    navigationTimeout: 120_000,
    contextOptions: { reducedMotion: 'reduce' },
    viewport: { width: 1440, height: 900 },
    locale: 'en-US',
    timezoneId: 'America/Chicago',
    // A trace of every test would cost a quarter of their time: `--trace retain-on-failure` keeps them.
    trace: 'off',
    launchOptions: {
      executablePath: findChromium() ?? '/usr/bin/chromium',
      // With the library that moves the clock (npm test -- --now) it does not start.
      env: { ...process.env, LD_PRELOAD: '' },
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        // Pages of a context share a process, and none is started in reserve: a third of what a new context costs.
        '--process-per-site',
      ],
    },
  },
});

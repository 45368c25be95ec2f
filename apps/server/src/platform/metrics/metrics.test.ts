import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../testing/eventually.ts';
import { readMetrics } from '../../testing/metrics.ts';
import { openRemoteFixture, type RemoteFixture } from '../../testing/remote-fixture.ts';
import { silentLog } from '../../testing/log.ts';
import { StartupError } from '../settings/settings-file.ts';
import { listenForMetrics } from './listener.ts';

const packaging = new URL('../../../../../packaging/', import.meta.url);
let fixture: RemoteFixture;

beforeAll(async () => {
  fixture = await openRemoteFixture({ metrics: true });
});
afterAll(() => fixture.close());

const scrape = () => readMetrics(fixture.server.metricsPort);
/** The value of a line, NaN for a missing one. */
const valueOf = (text: string, line: string) =>
  Number(
    text
      .split('\n')
      .find((each) => each.startsWith(`${line} `))
      ?.slice(line.length),
  );

test('calls are measured by operation and status class, and unknown paths under one name', async () => {
  const call = (path: string) =>
    fetch(`${fixture.server.url}${path}`, { headers: { authorization: `Bearer ${fixture.bearer}` } });
  expect((await call('/data_manager/v1/dm/devices')).status).toBe(200);
  expect((await call('/data_manager/v1/dm/device?device=unknown')).status).toBe(404);
  expect((await call('/somewhere/else')).status).toBe(404);
  await eventually(async () => {
    const text = await scrape();
    const count = (labels: string) => valueOf(text, `highline_http_seconds_count{${labels}}`);
    expect(count('operation="devices.list",status="2xx"')).toBe(1);
    expect(count('operation="devices.get",status="4xx"')).toBe(1);
    expect(count('operation="other",status="4xx"')).toBe(1);
  });
});

test('routers, sockets, the pool, the outbox, mails and the process itself have figures', async () => {
  await fixture.scripted();
  const text = await scrape();
  expect(valueOf(text, 'highline_routers_connected')).toBe(1);
  expect(valueOf(text, 'highline_sockets')).toBeGreaterThanOrEqual(1);
  expect(valueOf(text, 'highline_outbox_lag_seconds')).toBeGreaterThanOrEqual(0);
  for (const state of ['busy', 'idle', 'awaited'])
    expect(valueOf(text, `highline_database_connections{state="${state}"}`)).toBeGreaterThanOrEqual(0);
  for (const work of ['admission', 'reconciliation', 'rollouts'])
    expect(valueOf(text, `highline_waiting{work="${work}"}`)).toBeGreaterThanOrEqual(0);
  for (const outcome of ['delivered', 'again', 'failed'])
    expect(valueOf(text, `highline_webhook_calls_total{outcome="${outcome}"}`)).toBe(0);
  expect(valueOf(text, 'highline_disk_free_bytes')).toBeGreaterThan(0);
  for (const name of ['process_resident_memory_bytes', 'nodejs_eventloop_lag_p99_seconds', 'process_cpu_seconds_total'])
    expect(valueOf(text, name)).toBeGreaterThanOrEqual(0);
});

test('database figures are those of the last count: a scrape never waits for the database', async () => {
  const mailsDue = async () => valueOf(await scrape(), 'highline_mails_due');
  await eventually(async () => expect(await mailsDue()).toBe(0));
  await eventually(async () => expect(valueOf(await scrape(), 'highline_webhooks_suspended')).toBe(0));
  const { owner } = fixture.server;
  await owner.query('begin');
  await owner.query('lock table mails in access exclusive mode');
  expect(await mailsDue()).toBe(0);
  await owner.query('rollback');
});

test('build, jobs, rollouts, files and the connections of routers have figures', async () => {
  const device = await fixture.scripted();
  await device.router.stop();
  await eventually(async () => {
    const text = await scrape();
    expect(text).toMatch(/^highline_build_info\{version="\d+\.\d+\.\d+[^"]*",node="[\w.-]+"\} 1$/mu);
    expect(valueOf(text, 'highline_rollouts{state="running"}')).toBe(0);
    expect(valueOf(text, 'highline_rollouts{state="paused"}')).toBe(0);
    expect(valueOf(text, 'highline_blob_faults_total')).toBe(0);
    expect(valueOf(text, 'highline_router_admissions_total{result="admitted"}')).toBeGreaterThanOrEqual(1);
    expect(valueOf(text, 'highline_router_sessions_ended_total{reason="flooding"}')).toBe(0);
    const ended = text.matchAll(/^highline_router_sessions_ended_total\{reason="[\w-]+"\} (\d+)$/gmu);
    expect(Array.from(ended, ([, count]) => Number(count)).reduce((a, b) => a + b)).toBeGreaterThanOrEqual(1);
    const probed = valueOf(text, 'highline_job_last_success_timestamp_seconds{job_name="write probe"}');
    expect(Math.abs(Date.now() / 1_000 - probed)).toBeLessThan(120);
    expect(valueOf(text, 'highline_job_failures_total{job_name="mail"}')).toBe(0);
    for (const work of ['presence', 'telemetry'])
      expect(valueOf(text, `highline_waiting{work="${work}"}`)).toBeGreaterThanOrEqual(0);
  });
});

test('NOD-07-partial every figure names its installation, and alert rules and dashboard keep several apart', async () => {
  const text = await (await fetch(`http://127.0.0.1:${fixture.server.metricsPort}/metrics`)).text();
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  expect(lines.filter((line) => !line.includes('installation="127.0.0.1:0"'))).toEqual([]);
  const rules = await readFile(new URL('prometheus/alerts.yml', packaging), 'utf8');
  for (const [, expression] of rules.matchAll(/expr: (.*)$/gmu))
    expect(expression!.match(/\b(?:sum|min|max|count|avg)\b(?! by \(installation\b).*/u)).toBeNull();
  const dashboard = await readFile(new URL('grafana/highline.json', packaging), 'utf8');
  for (const [, expression] of dashboard.matchAll(/"expr": "(.*)",?$/gmu))
    expect(expression!.match(/\b(?:highline|nodejs|process)_\w+(?!\w|\{installation=)/gu)).toBeNull();
});

test('NOD-07-partial every metric and job that alert rules and dashboard name exists', async () => {
  const text = await scrape();
  const known = new Set(Array.from(text.matchAll(/^([a-z_]\w*?)(?:\{| )/gmu), ([, name]) => name));
  // Only with a replica, and only with TLS of our own.
  known.add('highline_replica_age_seconds').add('highline_certificate_expires_timestamp_seconds');
  for (const file of ['prometheus/alerts.yml', 'grafana/highline.json']) {
    const used = await readFile(new URL(file, packaging), 'utf8');
    const names = new Set(used.match(/\b(?:highline|nodejs|process)_[a-z_0-9]+/gu));
    expect(names.size).toBeGreaterThan(12);
    expect([file, Array.from(names).filter((name) => !known.has(name))]).toEqual([file, []]);
    for (const [, label, value] of used.matchAll(/\{(job_name|state|result|reason|size|work)=\\?"([^"\\]+)\\?"/gu))
      expect(text).toContain(`${label}="${value}"`);
  }
  const dashboard = JSON.parse(await readFile(new URL('grafana/highline.json', packaging), 'utf8')) as {
    panels: { id: number; targets: { expr: string }[] }[];
  };
  expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length);
});

// The tests install it where they may (scripts/machine.mjs).
const promtool = ['/usr/local/bin/promtool', '/usr/bin/promtool'].find((path) => existsSync(path));

/** Run a test of the alert rules with promtool. @returns its output and status */
function testRules(tested: object): readonly [string, number | null] {
  const folder = mkdtempSync(join(tmpdir(), 'highline-rules-'));
  const file = join(folder, 'test.yml');
  writeFileSync(
    file,
    JSON.stringify({ rule_files: [fileURLToPath(new URL('prometheus/alerts.yml', packaging))], tests: [tested] }),
  );
  const { status, stdout, stderr } = spawnSync(promtool!, ['test', 'rules', file], { encoding: 'utf8' });
  rmSync(folder, { recursive: true });
  return [stdout + stderr, status];
}

test.skipIf(promtool === undefined)('NOD-07-partial promtool accepts the alert rules', () => {
  const { status, stdout, stderr } = spawnSync(promtool!, ['check', 'rules', 'alerts.yml'], {
    cwd: new URL('prometheus/', packaging),
    encoding: 'utf8',
  });
  expect([status, stderr, stdout]).toEqual([0, '', expect.stringContaining('rules found')]);
});

test.skipIf(promtool === undefined)(
  'NOD-07-partial a job that has failed since the start raises an alert, whatever its interval, and so does a certificate that soon expires',
  () => {
    const labels = 'instance="10.0.0.11:9464",job="highline"';
    const metric = (name: string, job: string, values: string) => ({
      series: `highline_job_${name}{${labels},job_name="${job}"}`,
      values,
    });
    const jobs = [
      // The process began at 0. This one runs a minute after it and then each hour; the one below each ten seconds.
      metric('interval_seconds', 'hourly', '3600x180'),
      metric('last_success_timestamp_seconds', 'hourly', '0x180'),
      metric('interval_seconds', 'write probe', '10x180'),
      metric('last_success_timestamp_seconds', 'write probe', '0x180'),
      // It succeeded once, an hour after the start.
      metric('interval_seconds', 'recovered', '3600x180'),
      metric('last_success_timestamp_seconds', 'recovered', '0x60 3660x120'),
    ];
    const alert = (job: string) => ({
      exp_labels: { severity: 'warning', instance: '10.0.0.11:9464', job: 'highline', job_name: job },
      exp_annotations: {
        summary: `The job "${job}" of 10.0.0.11:9464 has not succeeded for two of its runs or more; the log says why.`,
      },
    });
    const at = (eval_time: string, ...failing: string[]) => ({
      eval_time,
      alertname: 'HighlineJobFails',
      exp_alerts: failing.map(alert),
    });
    const writes = {
      eval_time: '3m',
      alertname: 'HighlineWritesFail',
      exp_alerts: [
        {
          exp_labels: { severity: 'critical', instance: '10.0.0.11:9464', job: 'highline', job_name: 'write probe' },
          exp_annotations: { summary: '10.0.0.11:9464 has not written to the database for 3m 0s; /healthz says why.' },
        },
      ],
    };
    // It expires two weeks and half an hour after the beginning.
    const certificate = `highline_certificate_expires_timestamp_seconds{${labels},file="TLS_CERT_FILE"}`;
    const expiring = (eval_time: string, ...summaries: string[]) => ({
      eval_time,
      alertname: 'HighlineCertificateExpires',
      exp_alerts: summaries.map((summary) => ({
        exp_labels: { severity: 'warning', instance: '10.0.0.11:9464', job: 'highline', file: 'TLS_CERT_FILE' },
        exp_annotations: { summary },
      })),
    });
    const renew = 'A certificate in TLS_CERT_FILE of 10.0.0.11:9464 expires in 13d 23h 30m 0s. Renew it, and reload the process.';
    const alert_rule_test = [
      at('4m'),
      at('30m', 'write probe'),
      at('135m', 'hourly', 'write probe'),
      writes,
      expiring('25m'),
      expiring('60m', renew),
    ];
    const input_series = [...jobs, { series: certificate, values: `${14 * 86_400 + 1_800}x180` }];
    expect(testRules({ interval: '1m', input_series, alert_rule_test })).toEqual([expect.stringContaining('SUCCESS'), 0]);
  },
);

test.skipIf(promtool === undefined)(
  'NOD-07-partial an installation that loses its routers, or a process, raises an alert although another one is larger',
  () => {
    const series = (name: string, installation: string, instance: string, values: string) => ({
      series: `highline_${name}{job="highline",pod="${instance}",instance="${instance}",installation="${installation}"}`,
      values,
    });
    const exp_labels = (severity: string) => ({ severity, installation: 'small.example.com' });
    const tested = {
      interval: '1m',
      input_series: [
        series('routers_connected', 'large.example.com', 'a', '20000x60'),
        series('routers_connected', 'small.example.com', 'b', '1000x30 0x30'),
        series('nodes', 'large.example.com', 'a', '3x60'),
        series('nodes', 'small.example.com', 'b', '2x30 1x30'),
        series('webhooks_oldest_due_seconds', 'small.example.com', 'b', '600x60'),
        series('webhooks_oldest_due_seconds', 'small.example.com', 'c', '600x60'),
        series('webhooks_oldest_due_seconds', 'large.example.com', 'a', '0x60'),
      ],
      alert_rule_test: [
        {
          eval_time: '40m',
          alertname: 'HighlineRoutersLost',
          exp_alerts: [
            {
              exp_labels: exp_labels('critical'),
              exp_annotations: {
                summary: 'More than a fifth of the routers of small.example.com have left within 15 minutes; 0 are connected.',
              },
            },
          ],
        },
        {
          eval_time: '40m',
          alertname: 'HighlineNodeLost',
          exp_alerts: [
            {
              exp_labels: exp_labels('warning'),
              exp_annotations: {
                summary:
                  '1 processes are at the database of small.example.com, fewer than for most of the last two hours. The logs of the others name the one that is lost.',
              },
            },
          ],
        },
        {
          eval_time: '40m',
          alertname: 'HighlineWebhooksWait',
          exp_alerts: [
            {
              exp_labels: exp_labels('warning'),
              exp_annotations: {
                summary:
                  'Events for webhooks of small.example.com have been due for 10m 0s. Receivers that fail do not count: look at the log and at the load of the processes.',
              },
            },
          ],
        },
      ],
    };
    expect(testRules(tested)).toEqual([expect.stringContaining('SUCCESS'), 0]);
  },
);

test('NOD-07-partial a port of METRICS_LISTEN that is in use ends the start with the name of the setting', async () => {
  const at = { host: '127.0.0.1', port: fixture.server.metricsPort! };
  await expect(listenForMetrics({ contentType: 'text/plain', text: async () => '' }, at, silentLog)).rejects.toThrow(
    new StartupError(
      `METRICS_LISTEN: another program already listens there. Stop it, or set METRICS_LISTEN to another port (127.0.0.1, port ${at.port}).`,
    ),
  );
});

test('the text does not reveal the owner of the server, and its port serves nothing else', async () => {
  const device = await fixture.scripted();
  const text = await scrape();
  for (const own of [
    fixture.scope.organizationId,
    fixture.scope.mainAccountId,
    device.serial,
    device.id,
    device.routerId,
    'rmt1',
  ])
    expect(text.toLowerCase()).not.toContain(own.toLowerCase());
  const base = `http://127.0.0.1:${fixture.server.metricsPort}`;
  expect((await fetch(`${base}/livez`)).status).toBe(404);
  expect((await fetch(`${base}/metrics`, { method: 'POST' })).status).toBe(404);
  // The public address has those of an organization, for its API keys.
  expect((await fetch(`${fixture.server.url}/metrics`)).status).toBe(401);
});

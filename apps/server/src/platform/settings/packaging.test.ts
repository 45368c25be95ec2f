import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { createTestAuthority } from '../../testing/certificates.ts';
import { variables } from './variables.ts';

// The files with which others run a release: each name in them exists, and the tools that are installed accept them. The rest of NOD-07 is where
// its programs are: the chart in helm.test.ts, nginx, Caddy and HAProxy in system-tests/proxies.test.ts, alert rules and the dashboard in
// platform/metrics/metrics.test.ts, the watchdog in platform/process/service-manager.test.ts, the release in scripts/release.test.ts.

const root = fileURLToPath(new URL('../../../../../', import.meta.url));
const read = (path: string) => readFileSync(join(root, 'packaging', path), 'utf8');
const isSetting = (name: string) => Object.hasOwn(variables, name);

interface Compose {
  readonly services: Readonly<
    Record<
      string,
      { image: string; environment?: Record<string, string>; ports?: string[]; volumes?: string[]; depends_on?: unknown }
    >
  >;
  readonly volumes: Readonly<Record<string, unknown>>;
}

test('NOD-07-partial the compose file sets only settings that exist, and two processes differ in what must differ', () => {
  const { services, volumes } = parse(read('container/compose.yaml'), { merge: true }) as Compose;
  const nodes = Object.values(services).filter(({ image }) => image === 'highline');
  expect(nodes).toHaveLength(2);
  const environments = nodes.map(({ environment }) => environment ?? {});
  for (const environment of environments) {
    expect(Object.keys(environment).filter((name) => !isSetting(name))).toEqual([]);
    for (const name of ['PUBLIC_URL', 'HIGHLINE_MASTER_KEY', 'DATABASE_URL', 'BLOBS_URL', 'NATS_URL', 'TRUSTED_PROXIES'])
      expect(environment[name]).toBe(environments[0]![name]);
    const values = {
      ...environment,
      HIGHLINE_MASTER_KEY: Buffer.from(Array.from({ length: 32 }, (_, n) => n)).toString('base64'),
    };
    for (const [name, value] of Object.entries(values))
      expect([name, variables[name as keyof typeof variables].schema.safeParse(withPasswords(value)).success]).toEqual([
        name,
        true,
      ]);
  }
  expect(new Set(environments.map((each) => each['TUNNEL_URL'])).size).toBe(2);
  // SSH clients reach the ports of each, which are ports of one machine.
  const ssh = environments.map((each) => each['TUNNEL_PORTS']);
  expect(new Set(ssh).size).toBe(2);
  expect(nodes.map(({ ports }) => ports)).toEqual(ssh.map((range) => [`${range}:${range}`]));
  const named = Object.values(services)
    .flatMap((service) => service.volumes ?? [])
    .map((volume) => volume.split(':')[0]!);
  const own = named.filter((volume) => !volume.startsWith('.'));
  expect(own.toSorted()).toEqual(Object.keys(volumes).toSorted());
  for (const { depends_on: needed = [] } of Object.values(services))
    for (const name of Array.isArray(needed) ? (needed as string[]) : Object.keys(needed as object))
      expect(Object.keys(services)).toContain(name);
  // No secret is in the file.
  expect(read('container/compose.yaml')).not.toMatch(/(?:PASSWORD|SECRET|KEY): (?!['"]?\$\{)/u);
});

/** `${NAME:?}` as docker fills it in. */
const withPasswords = (text: string) => text.replaceAll(/\$\{\w+(?::\?)?\}/gu, 'secret');

test('NOD-07-partial the image is built from a release and runs it as a user without rights', () => {
  const dockerfile = read('container/Dockerfile').replaceAll('\\\n', ' ');
  const stages = Array.from(dockerfile.matchAll(/^FROM (\S+)/gmu), ([, image]) => image!);
  expect(stages).toHaveLength(2);
  // Both on the Node that package.json brings for development.
  for (const image of stages) expect(image).toMatch(/^node:24-/u);
  expect(dockerfile).toContain('node scripts/release.mjs --folder /opt/highline');
  expect(dockerfile).toMatch(/^USER \d+$/mu);
  const variablesOfImage = /^ENV (.+)$/mu
    .exec(dockerfile)![1]!
    .split(' ')
    .map((pair) => pair.split('=')[0]!);
  expect(variablesOfImage.filter((name) => !isSetting(name)).toSorted()).toEqual(['NODE_ENV', 'PATH']);
  expect(() => accessSync(join(root, 'bin/highline'), constants.X_OK)).not.toThrow();
  const ignored = readFileSync(join(root, '.dockerignore'), 'utf8').split('\n');
  expect(ignored).toEqual(expect.arrayContaining(['.git', 'node_modules', '.highline']));
  // The command is tested in cli/health.test.ts; it knows the address and the TLS of the server.
  expect(dockerfile).toMatch(/^HEALTHCHECK .* CMD \["highline", "health"\]$/mu);
});

test('a release says which Node it needs, also when there is none', () => {
  const folder = mkdtempSync(join(tmpdir(), 'highline-node-'));
  try {
    const run = () =>
      spawnSync('/bin/sh', [join(root, 'bin/highline'), '--help'], {
        encoding: 'utf8',
        env: { PATH: `${folder}:/usr/bin:/bin` },
      });
    writeFileSync(join(folder, 'node'), '#!/bin/sh\necho v20.19.2\n', { mode: 0o755 });
    expect(run()).toMatchObject({
      status: 1,
      stdout: '',
      stderr: expect.stringMatching(/^highline needs Node 24 .*found: v20\.19\.2\./u),
    });
    writeFileSync(join(folder, 'node'), '#!/bin/sh\nexit 127\n', { mode: 0o755 });
    expect(run()).toMatchObject({ status: 1, stderr: expect.stringContaining('found: none.') });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('NOD-06-partial the unit keeps the sockets of its database where `backup` finds them, and settings that the user of the server may read', () => {
  const unit = read('systemd/highline.service');
  expect(unit).toMatch(/^RuntimeDirectory=highline$/mu);
  expect(unit).toContain('root:highline 0640');
  // Commands are given the same file, and read in it what the server does; names in it that are unknown stop the start.
  expect(unit).toMatch(/^Environment=HIGHLINE_SETTINGS=\/etc\/highline\/settings$/mu);
  expect(unit).not.toMatch(/^EnvironmentFile=|^Environment=HIGHLINE_DATA_DIR=/mu);
});

const analyze = '/usr/bin/systemd-analyze';
test.skipIf(!existsSync(analyze))('NOD-07-partial systemd accepts the unit', () => {
  const folder = mkdtempSync(join(tmpdir(), 'highline-unit-'));
  try {
    // It looks for the programs of the unit; Node may be elsewhere on this machine.
    const unit = read('systemd/highline.service').replace('/usr/bin/node', process.execPath);
    writeFileSync(join(folder, 'highline.service'), unit);
    const { stdout, stderr } = spawnSync(analyze, ['verify', '--man=no', join(folder, 'highline.service')], {
      encoding: 'utf8',
    });
    expect(`${stdout}${stderr}`.split('\n').filter((line) => line.includes('highline.service'))).toEqual([]);
    for (const [, name] of unit.matchAll(/^Environment=(\w+)=/gmu))
      expect(isSetting(name!) || name === 'HIGHLINE_SETTINGS').toBe(true);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test.skipIf(!existsSync('/usr/sbin/nginx'))('NOD-07-partial nginx accepts the file of the compose file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'highline-compose-'));
  try {
    const { cert, key } = await (await createTestAuthority('Compose')).issue({ isServer: true });
    writeFileSync(join(folder, 'fleet.pem'), cert);
    writeFileSync(join(folder, 'fleet.key'), key);
    const shipped = read('container/nginx.conf');
    // Addresses that change are for the version of the compose file; the one that is installed here may be older.
    expect(parse(read('container/compose.yaml'), { merge: true })).toMatchObject({
      services: { proxy: { image: 'nginx:1.28' } },
    });
    expect(shipped).toMatch(/^resolver /mu);
    for (const [, upstream] of shipped.matchAll(/^upstream [^{]*\{([^}]*)\}/gmu)) {
      expect(upstream).toMatch(/\bzone /u);
      for (const [server] of upstream!.matchAll(/\bserver [^;]*;/gu)) expect(server).toMatch(/ resolve;$/u);
    }
    const site = shipped
      .replaceAll(' resolve;', ';')
      .replaceAll(/server node-(\d):8080/gu, 'server 127.0.0.$1:8080')
      .replaceAll('/etc/highline/', `${folder}/`)
      .replaceAll('/dev/stdout', join(folder, 'log'))
      .replaceAll('/dev/stderr', join(folder, 'errors'));
    writeFileSync(join(folder, 'site.conf'), site);
    const main = `pid ${folder}/pid; events {} http { client_body_temp_path ${folder}/b; include ${folder}/site.conf; }`;
    writeFileSync(join(folder, 'nginx.conf'), main);
    const { status, stderr } = spawnSync('/usr/sbin/nginx', ['-t', '-e', 'stderr', '-c', join(folder, 'nginx.conf')], {
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([0, expect.stringContaining('test is successful')]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('NOD-07-partial each version in the changelog says what an upgrade to it needs', () => {
  const [, ...versions] = readFileSync(join(root, 'CHANGELOG.md'), 'utf8').split(/^## /mu);
  expect(versions.length).toBeGreaterThan(1);
  for (const version of versions) expect(version).toMatch(/^### Upgrade\b.*\n\n- \S/mu);
});

import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { generateKeyPair } from '@highline/image';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createTestAuthority, writePems } from '../../testing/certificates.ts';
import type { Mode } from './combinations.ts';
import { StartupError } from './settings-file.ts';
import { nameInstallation, readCommandSettings, readSettings, type CommandData } from './settings.ts';
import { variables } from './variables.ts';

const key = Buffer.from(Array.from({ length: 32 }, (_, index) => index * 7)).toString('base64');
const production = {
  PUBLIC_URL: 'https://fleet.example.com',
  TRUSTED_PROXIES: '192.0.2.10',
  HIGHLINE_MASTER_KEY: key,
  SMTP_URL: 'smtps://mailer:pw@mail.example.com',
  MAIL_FROM: 'Highline <console@example.com>',
};
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'highline-settings-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const read = (mode: Mode, variables: Record<string, string>) =>
  readSettings(mode, { HIGHLINE_DATA_DIR: join(folder, 'data'), ...variables });

/** The lines that name a fault; none when the settings are valid. */
function faults(mode: Mode, variables: Record<string, string>): string[] {
  try {
    read(mode, variables);
    return [];
  } catch (error) {
    if (!(error instanceof StartupError)) throw error;
    const [, ...lines] = error.message.split('\n');
    return lines.map((line) => line.trim());
  }
}

test('the demo needs no settings and stays on this machine', () => {
  const settings = read('demo', {});
  expect(settings.http).toEqual({ host: '127.0.0.1', port: 8080, publicUrl: 'http://127.0.0.1:8080', trustedProxies: [] });
  expect(settings.database).toEqual({ kind: 'embedded', folder: join(folder, 'data', 'postgres'), poolSize: 16 });
  expect(settings.mail).toMatchObject({ kind: 'outbox', folder: join(folder, 'data', 'outbox') });
  expect(settings).toMatchObject({
    controllerId: 'self::highline',
    expiringDays: 30,
    alertStorm: 3,
    reportSeconds: 60,
    telemetryDays: 30,
    positionDays: 30,
    usageDays: 400,
    logRetentionDays: 730,
    logLevel: 'info',
  });
});

test('a command needs the data folder only when what it works on is there, and says so', () => {
  const elsewhere = { DATABASE_URL: 'postgresql://a@db/highline', BLOBS_URL: 'https://k:s@s3.example.com/fleet' };
  const read = (given: Record<string, string>, ...uses: readonly CommandData[]) =>
    readCommandSettings({ ...production, HIGHLINE_DATA_DIR: '/dev/null/none', ...given }, uses);
  expect(read({}).database.kind).toBe('embedded');
  expect(read({ DATABASE_URL: elsewhere.DATABASE_URL }, 'database').database.kind).toBe('external');
  expect(read(elsewhere, 'database', 'files').bucket).toBeDefined();
  expect(() => read({ DATABASE_URL: elsewhere.DATABASE_URL }, 'database', 'files')).toThrow(
    /HIGHLINE_DATA_DIR: "\/dev\/null\/none" is invalid .*Without BLOBS_URL this command works in the data folder\. Set it to the folder of the server\./u,
  );
  expect(() => read({}, 'database', 'files')).toThrow('Without DATABASE_URL and BLOBS_URL this command');
  expect(() => read({ HIGHLINE_DATA_DIR: '' }, 'database')).toThrow(
    'HIGHLINE_DATA_DIR: missing. Without DATABASE_URL this command works in the data folder. Set it to the folder of the server.',
  );
  expect(read({ ...elsewhere, HIGHLINE_DATA_DIR: '' }, 'database', 'files').bucket).toBeDefined();
});

test('the demo generates a master key once, readable for its owner only, and reuses it', () => {
  const first = read('demo', {}).masterKey;
  expect(first.symmetricKeySize).toBe(32);
  expect(read('demo', {}).masterKey.equals(first)).toBe(true);
  expect(statSync(join(folder, 'data', 'master-key')).mode & 0o777).toBe(0o600);
  expect(statSync(join(folder, 'data')).mode & 0o777).toBe(0o700);
});

test('a damaged master key of the demo is rejected, never replaced', () => {
  read('demo', {});
  writeFileSync(join(folder, 'data', 'master-key'), 'short');
  expect(() => read('demo', {})).toThrow(/no longer contains a master key/u);
  expect(readFileSync(join(folder, 'data', 'master-key'), 'utf8')).toBe('short');
});

test('production takes everything from its environment', () => {
  const settings = read('serve', {
    ...production,
    PORT: '443',
    TRUSTED_PROXIES: '10.0.0.0/8, loopback,2001:db8::/32',
    DATABASE_URL: 'postgresql://owner:pw@db/highline',
    DATABASE_SERVE_URL: 'postgresql://app:pw@db/highline',
    DATABASE_POOL_SIZE: '40',
  });
  expect(settings.http).toEqual({
    host: '0.0.0.0',
    port: 443,
    publicUrl: 'https://fleet.example.com',
    trustedProxies: ['10.0.0.0/8', 'loopback', '2001:db8::/32'],
  });
  expect(settings.database).toEqual({
    kind: 'external',
    url: 'postgresql://owner:pw@db/highline',
    serveUrl: 'postgresql://app:pw@db/highline',
    poolSize: 40,
  });
  expect(settings.masterKey.export().toString('base64')).toBe(key);
  expect(settings.mail).toEqual({ kind: 'smtp', url: production.SMTP_URL, from: production.MAIL_FROM });
});

test('the master key is accepted in hex and in both kinds of base64', () => {
  const bytes = Buffer.from(key, 'base64');
  for (const encoding of ['hex', 'base64', 'base64url'] as const)
    expect(read('serve', { ...production, HIGHLINE_MASTER_KEY: bytes.toString(encoding) }).masterKey.export()).toEqual(bytes);
});

test('an empty variable counts as left out', () => {
  expect(read('demo', { PORT: '', DATABASE_URL: ' ' }).http.port).toBe(8080);
});

test('a settings file is read, and the environment overrides it', () => {
  const path = join(folder, 'highline.env');
  writeFileSync(path, 'PORT=9000\nEXPIRING_DAYS=14\n');
  const settings = read('demo', { HIGHLINE_SETTINGS: path, EXPIRING_DAYS: '7' });
  expect([settings.http.port, settings.expiringDays]).toEqual([9000, 7]);
  expect(() => read('demo', { HIGHLINE_SETTINGS: join(folder, 'none') })).toThrow(/HIGHLINE_SETTINGS: the file cannot be read/u);
});

test('all faults are reported at once, one line each', () => {
  const lines = faults('serve', { PORT: 'http', LOG_LEVEL: 'loud', DATABASE_SERVE_URL: 'postgresql://app@db/highline' });
  const names = lines.map((line) => line.split(':')[0]);
  expect(new Set(names)).toEqual(new Set(['DATABASE_URL', 'HIGHLINE_MASTER_KEY', 'LOG_LEVEL', 'PORT', 'PUBLIC_URL', 'SMTP_URL']));
  expect(names).toHaveLength(6);
  expect(lines).toContain('PORT: "http" is invalid. Set it to a port from 0 to 65535 (left out: 8080).');
});

test('an invalid secret is not repeated', () => {
  const lines = faults('serve', {
    ...production,
    DATABASE_URL: 'mysql://root:hunter2@db',
    HIGHLINE_MASTER_KEY: 'hunter2',
    SMTP_URL: 'hunter2',
  });
  expect(lines).toHaveLength(3);
  expect(lines.join('\n')).not.toContain('hunter2');
});

test('FWR-02-partial keys that sign firmware are trusted from every named file, several in one file included', () => {
  expect(read('demo', {}).firmware).toEqual({ maxBytes: 268_435_456, publicKeys: [], folder: join(folder, 'data', 'blobs') });
  const [one, two, three] = [generateKeyPair(), generateKeyPair(), generateKeyPair()].map((pair) => pair.publicKey);
  writeFileSync(join(folder, 'a.pem'), `${one}${two}`);
  writeFileSync(join(folder, 'b.pem'), three!);
  const { firmware } = read('serve', {
    ...production,
    FIRMWARE_PUBLIC_KEYS: `${join(folder, 'a.pem')}, ${join(folder, 'b.pem')}`,
    FIRMWARE_MAX_MB: '10',
  });
  expect(firmware.maxBytes).toBe(10_485_760);
  expect(firmware.publicKeys.map((key) => key.export({ type: 'spki', format: 'pem' }))).toEqual([one, two, three]);
});

test('FWR-02-partial a private key among the trusted ones is rejected: it must not be on the server', () => {
  writeFileSync(join(folder, 'private.pem'), generateKeyPair().privateKey);
  expect(faults('serve', { ...production, FIRMWARE_PUBLIC_KEYS: join(folder, 'private.pem') })[0]).toMatch(
    /^FIRMWARE_PUBLIC_KEYS: /u,
  );
});

describe('rejected, alone and by name:', () => {
  test.each<[string, Mode, string, Record<string, string>]>([
    ['an invalid port', 'demo', 'PORT', { PORT: '65536' }],
    ['a negative port', 'demo', 'PORT', { PORT: '-1' }],
    ['a demo open to the network', 'demo', 'HOST', { HOST: '0.0.0.0' }],
    ['a demo under a public name', 'demo', 'PUBLIC_URL', { PUBLIC_URL: 'https://demo.example.com' }],
    ['https without a known TLS endpoint', 'serve', 'TRUSTED_PROXIES', { TRUSTED_PROXIES: '' }],
    ['client authorities without our own TLS', 'serve', 'TLS_CERT_FILE', { TLS_CLIENT_CA_FILE: fileURLToPath(import.meta.url) }],
    ['unencrypted passwords', 'serve', 'PUBLIC_URL', { PUBLIC_URL: 'http://fleet.example.com' }],
    ['a name that only looks like loopback', 'serve', 'PUBLIC_URL', { PUBLIC_URL: 'http://localhost.example.com' }],
    ['an address with a path', 'serve', 'PUBLIC_URL', { PUBLIC_URL: 'https://example.com/fleet' }],
    ['an address with a password', 'serve', 'PUBLIC_URL', { PUBLIC_URL: 'https://me:pw@example.com' }],
    ['an address of another kind', 'serve', 'PUBLIC_URL', { PUBLIC_URL: 'ftp://example.com' }],
    ['an invalid URL', 'serve', 'PUBLIC_URL', { PUBLIC_URL: '' }],
    ['no master key', 'serve', 'HIGHLINE_MASTER_KEY', { HIGHLINE_MASTER_KEY: '' }],
    ['a short master key', 'serve', 'HIGHLINE_MASTER_KEY', { HIGHLINE_MASTER_KEY: 'c2hvcnQ=' }],
    ['a non-random master key', 'serve', 'HIGHLINE_MASTER_KEY', { HIGHLINE_MASTER_KEY: '0'.repeat(64) }],
    ['no mail transport', 'serve', 'SMTP_URL', { SMTP_URL: '' }],
    ['mail without a sender', 'serve', 'MAIL_FROM', { MAIL_FROM: '' }],
    [
      'an address of returned mails that is too long for tokens',
      'serve',
      'MAIL_BOUNCES',
      { MAIL_BOUNCES: 'returned-mails-of-a-fleet@b.com' },
    ],
    ['returned mails without a mail server', 'demo', 'SMTP_URL', { MAIL_BOUNCES: 'bounces@example.com' }],
    ['a sender with a line break', 'serve', 'MAIL_FROM', { MAIL_FROM: 'a@b\nBcc: c@d' }],
    ['a serving database without an owner', 'demo', 'DATABASE_URL', { DATABASE_SERVE_URL: 'postgresql://app@db/highline' }],
    [
      'another kind of serving database',
      'demo',
      'DATABASE_SERVE_URL',
      { DATABASE_URL: 'postgresql://owner@db/highline', DATABASE_SERVE_URL: 'mysql://db/highline' },
    ],
    ['a pool of one connection', 'demo', 'DATABASE_POOL_SIZE', { DATABASE_POOL_SIZE: '1' }],
    ['an invalid listening address', 'serve', 'HOST', { HOST: '999.1.1.1' }],
    ['a listening address with a blank', 'serve', 'HOST', { HOST: 'my host' }],
    ['a keep-alive window of one second', 'demo', 'ROUTER_OFFLINE_SECONDS', { ROUTER_OFFLINE_SECONDS: '1' }],
    ['no downloads at all', 'demo', 'ROLLOUT_DOWNLOADS', { ROLLOUT_DOWNLOADS: '0' }],
    ['another kind of database', 'demo', 'DATABASE_URL', { DATABASE_URL: 'mysql://db/highline' }],
    ['an invalid proxy', 'serve', 'TRUSTED_PROXIES', { TRUSTED_PROXIES: '10.0.0.0/33' }],
    ['a missing certificate', 'serve', 'TLS_CERT_FILE', { TLS_CERT_FILE: '/nowhere/cert.pem', TLS_KEY_FILE: '/dev/null' }],
    ['a key and no certificate', 'serve', 'TLS_CERT_FILE', { TLS_KEY_FILE: '/dev/null' }],
    ['a certificate and no key', 'serve', 'TLS_KEY_FILE', { TLS_CERT_FILE: '/dev/null' }],
    ['files that are not certificates', 'serve', 'TLS_CERT_FILE', { TLS_CERT_FILE: '/dev/null', TLS_KEY_FILE: '/dev/null' }],
    ['an unknown log level', 'demo', 'LOG_LEVEL', { LOG_LEVEL: 'verbose' }],
    ['a controller id without a scheme', 'demo', 'CONTROLLER_ID', { CONTROLLER_ID: 'highline' }],
    ['expiring days of zero', 'demo', 'EXPIRING_DAYS', { EXPIRING_DAYS: '0' }],
    ['too short a log retention', 'demo', 'LOG_RETENTION_DAYS', { LOG_RETENTION_DAYS: '29' }],
    ['reports every second', 'demo', 'REPORT_SECONDS', { REPORT_SECONDS: '1' }],
    ['telemetry days as text', 'demo', 'TELEMETRY_DAYS', { TELEMETRY_DAYS: 'ten' }],
    ['data used for a month only', 'demo', 'USAGE_DAYS', { USAGE_DAYS: '31' }],
    ['positions for no day', 'demo', 'POSITION_DAYS', { POSITION_DAYS: '0' }],
    ['a map style without an address', 'demo', 'MAP_STYLE_URL', { MAP_STYLE_URL: 'maps.example.com' }],
    ['a map style with a password', 'demo', 'MAP_STYLE_URL', { MAP_STYLE_URL: 'https://me:secret@maps.example.com/style.json' }],
    ['a map style in a file', 'demo', 'MAP_STYLE_URL', { MAP_STYLE_URL: 'file:///etc/style.json' }],
    [
      'a map style that browsers block',
      'serve',
      'MAP_STYLE_URL',
      { MAP_STYLE_URL: 'http://maps.example.com/style.json', MAP_ORIGINS: 'https://tiles.example.com' },
    ],
    ['origins without a map style', 'demo', 'MAP_STYLE_URL', { MAP_ORIGINS: 'https://tiles.example.com' }],
    ['any origin of maps', 'demo', 'MAP_ORIGINS', { MAP_STYLE_URL: 'https://maps.example.com/style.json', MAP_ORIGINS: '*' }],
    [
      'a path as an origin of maps',
      'demo',
      'MAP_ORIGINS',
      { MAP_STYLE_URL: 'https://maps.example.com/s.json', MAP_ORIGINS: 'https://tiles.example.com/v1' },
    ],
    ['missing tiles', 'demo', 'MAP_TILES', { MAP_TILES: '/nowhere/world.pmtiles' }],
    ['tiles that are no PMTiles', 'demo', 'MAP_TILES', { MAP_TILES: '/proc/self/exe' }],
    ['a folder without tiles', 'demo', 'MAP_TILES', { MAP_TILES: '/proc/self' }],
    ['firmware of no size', 'demo', 'FIRMWARE_MAX_MB', { FIRMWARE_MAX_MB: '0' }],
    ['a missing signing key', 'demo', 'FIRMWARE_PUBLIC_KEYS', { FIRMWARE_PUBLIC_KEYS: '/nowhere/key.pem' }],
    ['an invalid signing key', 'demo', 'FIRMWARE_PUBLIC_KEYS', { FIRMWARE_PUBLIC_KEYS: '/dev/null' }],
    ['a tunnel domain with a port', 'serve', 'TUNNEL_DOMAIN', { TUNNEL_DOMAIN: 'remote.example.net:8443' }],
    ['a tunnel domain that is an address', 'serve', 'TUNNEL_DOMAIN', { TUNNEL_DOMAIN: '192.0.2.1' }],
    ['a tunnel domain that contains the name of the console', 'serve', 'TUNNEL_DOMAIN', { TUNNEL_DOMAIN: 'example.com' }],
    ['a single tunnel port', 'demo', 'TUNNEL_PORTS', { TUNNEL_PORTS: '20000' }],
    ['tunnel ports backwards', 'demo', 'TUNNEL_PORTS', { TUNNEL_PORTS: '20099-20000' }],
    ['invalid tunnel ports', 'demo', 'TUNNEL_PORTS', { TUNNEL_PORTS: '65000-70000' }],
    ['a data folder below a file', 'demo', 'HIGHLINE_DATA_DIR', { HIGHLINE_DATA_DIR: '/dev/null/data' }],
  ])('%s', (_what, mode, name, variables) => {
    const lines = faults(mode, mode === 'serve' ? { ...production, ...variables } : variables);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(new RegExp(`^${name}: `, 'u'));
  });
});

test('RMT-07-partial pages of routers are served under localhost in the demo, and not at all in production until a domain is set', () => {
  expect(read('demo', {}).tunnels).toEqual({ domain: 'localhost', ports: undefined });
  expect(read('serve', production).tunnels).toEqual({ domain: undefined, ports: undefined });
  const set = { TUNNEL_DOMAIN: 'Remote.example.net', TUNNEL_PORTS: '20000-20099' };
  expect(read('serve', { ...production, ...set }).tunnels).toEqual({
    domain: 'remote.example.net',
    ports: { first: 20_000, last: 20_099 },
  });
  expect(read('serve', { ...production, TUNNEL_PORTS: 'none' }).tunnels.ports).toBe('none');
  // The name has two addresses, each of which would get its own server.
  expect(read('demo', { HOST: 'localhost' }).http.host).toBe('127.0.0.1');
});

test('POS-03-partial the map of the operator: a style with its origins, and files of tiles in the order of their names', () => {
  expect(read('demo', {}).baseMap).toEqual({
    origins: [],
    tiles: [{ name: 'streets.pmtiles', path: expect.stringMatching(/maps.streets\.pmtiles$/u) as string }],
  });
  const tiles = join(folder, 'tiles');
  mkdirSync(tiles);
  for (const name of ['1-region.pmtiles', '0-world.pmtiles', 'notes.txt'])
    writeFileSync(join(tiles, name), Buffer.concat([Buffer.from('PMTiles\u0003'), Buffer.alloc(120)]));
  const MAP_STYLE_URL = 'https://maps.example.com/style.json?key=a';
  expect(
    read('serve', {
      ...production,
      MAP_STYLE_URL,
      MAP_ORIGINS: 'https://Tiles.example.com/, https://maps.example.com',
      MAP_TILES: tiles,
    }).baseMap,
  ).toEqual({
    style: { url: MAP_STYLE_URL, origin: 'https://maps.example.com' },
    origins: ['https://maps.example.com', 'https://tiles.example.com'],
    tiles: ['0-world.pmtiles', '1-region.pmtiles'].map((name) => ({ name, path: join(tiles, name) })),
  });
  // Of an older version.
  writeFileSync(join(tiles, '2.pmtiles'), Buffer.concat([Buffer.from('PMTiles\u0002'), Buffer.alloc(120)]));
  expect(faults('demo', { MAP_TILES: tiles })).toEqual([
    `MAP_TILES: ${JSON.stringify(tiles)} is invalid. Set it to a PMTiles file (version 3), or a folder with one to eight files *.pmtiles (left out: the main streets of a few cities).`,
  ]);
});

test('plain http is fine where only this machine can connect', () => {
  expect(read('serve', { ...production, PUBLIC_URL: 'http://localhost:8080' }).http.publicUrl).toBe('http://localhost:8080');
});

test('production may keep its mails in a folder, if configured', () => {
  const { SMTP_URL: _url, MAIL_FROM: _from, ...rest } = production;
  expect(read('serve', { ...rest, SMTP_URL: 'none' }).mail.kind).toBe('outbox');
});

test('BLOBS_URL names a bucket, its path, its region and a percent-encoded secret', () => {
  const bucketOf = (url: string) => read('demo', { BLOBS_URL: url }).bucket;
  expect(bucketOf('https://AKIA:a%2Fb%2Bc@s3.eu-central-1.amazonaws.com/fleet')).toEqual({
    endpoint: 'https://s3.eu-central-1.amazonaws.com',
    bucket: 'fleet',
    prefix: '',
    region: 'eu-central-1',
    accessKeyId: 'AKIA',
    secretAccessKey: 'a/b+c',
  });
  expect(bucketOf('http://key:secret@127.0.0.1:9000/fleet/prod/one/?region=here')).toMatchObject({
    endpoint: 'http://127.0.0.1:9000',
    prefix: 'prod/one/',
    region: 'here',
  });
  expect(read('demo', {}).bucket).toBeUndefined();
});

test.each([
  's3://key:secret@host/fleet',
  'https://host/fleet',
  'https://key@host/fleet',
  'https://key:secret@host',
  'https://key:secret@host/F',
  'https://key:sec/ret@host/fleet',
  'https://key:sec%ret@host/fleet',
  'https://key:secret@host/fleet/a b',
  'https://key:secret@host/fleet?regoin=x',
])('BLOBS_URL %s is rejected without its secret', (BLOBS_URL) => {
  expect(faults('demo', { BLOBS_URL })).toEqual([
    'BLOBS_URL: its value is invalid. Set it to a bucket of an S3-compatible store, https://<key id>:<secret>@<host>/<bucket>, with the secret percent-encoded (left out: the data folder).',
  ]);
});

test('BLOBS_PUBLIC_URL is an origin of the store in BLOBS_URL, encrypted in production', () => {
  const BLOBS_URL = 'https://key:secret@s3.internal/fleet';
  const { bucket } = read('demo', { BLOBS_URL, BLOBS_PUBLIC_URL: 'https://s3.example.com/' });
  expect(bucket).toMatchObject({ endpoint: 'https://s3.internal', publicEndpoint: 'https://s3.example.com' });
  expect(faults('demo', { BLOBS_PUBLIC_URL: 'https://s3.example.com' })).toEqual([
    expect.stringMatching(/^BLOBS_URL: is missing while BLOBS_PUBLIC_URL is set/u),
  ]);
  expect(faults('demo', { BLOBS_URL, BLOBS_PUBLIC_URL: 'https://s3.example.com/fleet' })).toHaveLength(1);
  expect(faults('serve', { ...production, BLOBS_URL, BLOBS_PUBLIC_URL: 'http://s3.example.com' })).toEqual([
    'BLOBS_PUBLIC_URL: "http://s3.example.com" would send firmware unencrypted. Use https.',
  ]);
});

test('a directory names its cells and needs no mail; a cell names itself and its directory', () => {
  const CELLS = 'eu-1=https://eu-1.example.com, us-1=https://us-1.example.com/';
  const { PUBLIC_URL, TRUSTED_PROXIES } = production;
  expect(read('serve', { PUBLIC_URL, TRUSTED_PROXIES, CELLS, CELLS_KEY: key }).cells).toMatchObject({
    kind: 'directory',
    cells: new Map([
      ['eu-1', 'https://eu-1.example.com'],
      ['us-1', 'https://us-1.example.com'],
    ]),
  });
  const member = { DIRECTORY_URL: 'https://fleet.example.com', CELL_NAME: 'eu-1', CELLS_KEY: key };
  expect(read('serve', { ...production, ...member }).cells).toMatchObject({
    kind: 'member',
    cell: 'eu-1',
    url: member.DIRECTORY_URL,
  });
  const names = [{}, member].map((more) => nameInstallation(read('serve', { ...production, ...more })));
  expect(names).toEqual([new URL(production.PUBLIC_URL).host, member.CELL_NAME]);
  expect(read('serve', { ...production, DIRECTORY_URL: 'none' }).cells).toEqual({ kind: 'left' });
  expect(read('demo', {}).cells).toBeUndefined();
  expect(faults('serve', { ...production, ...member, CELLS, METRICS_LISTEN: '127.0.0.1:9464' })).toEqual([
    'DIRECTORY_URL: is set while CELLS makes this a directory. Leave one of them out.',
    'METRICS_LISTEN: a directory has no metrics. Leave it out.',
  ]);
  expect(faults('serve', { ...production, DIRECTORY_URL: 'http://fleet.example.com' })).toEqual([
    expect.stringMatching(/^CELLS_KEY: is missing\./u),
    expect.stringMatching(/^CELL_NAME: is missing while DIRECTORY_URL is set\./u),
    'DIRECTORY_URL: "http://fleet.example.com" would send secrets of routers unencrypted. Use https.',
  ]);
});

test.each([
  'eu-1',
  'EU=https://eu.example.com',
  'eu=https://eu.example.com/path',
  'eu=https://a.example.com,eu=https://b.example.com',
])('CELLS %s is rejected', (CELLS) => {
  expect(faults('serve', { ...production, CELLS, CELLS_KEY: key })).toEqual([expect.stringMatching(/^CELLS: .* is invalid/u)]);
});

test('NATS_URL names servers, their scheme and percent-encoded user and password, or a token', () => {
  const natsOf = (url: string) => read('demo', { NATS_URL: url }).nats;
  expect(natsOf('nats://10.0.0.5')).toEqual({ servers: ['10.0.0.5:4222'], tls: false });
  expect(natsOf('tls://fleet:p%3Ass%40@n1.example.com, tls://n2.example.com:80')).toEqual({
    servers: ['n1.example.com:4222', 'n2.example.com:80'],
    tls: true,
    user: 'fleet',
    password: 'p:ss@',
  });
  expect(natsOf('nats://t0ken@[::1]:4333/')).toEqual({ servers: ['[::1]:4333'], tls: false, token: 't0ken' });
  expect(read('demo', {}).nats).toBeUndefined();
});

test.each([
  'http://host',
  'nats://',
  'nats://host/path',
  'nats://host?tls=1',
  'nats://:password@host',
  'nats://us%er:secret@host',
  'nats://a.example.com,tls://b.example.com',
  'nats://a:secret@one,nats://b:secret@two',
  'nats://a:secret@one,',
  'nats://host:99999',
])('NATS_URL %s is rejected without its secret', (NATS_URL) => {
  expect(faults('demo', { NATS_URL })).toEqual([expect.stringMatching(/^NATS_URL: its value is invalid\. Set it to NATS, /u)]);
  expect(faults('demo', { NATS_URL }).join('')).not.toContain('secret');
});

test('the files of NATS need its address, contain what they should, and fit it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'highline-nats-settings-'));
  const [seed, other] = [join(folder, 'seed'), join(folder, 'other')];
  writeFileSync(seed, `SU${'A'.repeat(56)}\n`);
  writeFileSync(other, 'something else');
  expect(faults('demo', { NATS_CREDENTIALS_FILE: seed, NATS_CA_FILE: other })).toEqual([
    expect.stringMatching(/^NATS_URL: is missing while NATS_CREDENTIALS_FILE is set/u),
    expect.stringMatching(/^NATS_URL: is missing while NATS_CA_FILE is set/u),
    expect.stringMatching(/^NATS_CA_FILE: it cannot be used \(it contains no certificate\)/u),
  ]);
  expect(faults('demo', { NATS_CREDENTIALS_FILE: other, NATS_URL: 'nats://host' })).toEqual([
    expect.stringMatching(/^NATS_CREDENTIALS_FILE: .* is invalid\. Set it to a file with the NKey seed/u),
  ]);
  expect(faults('demo', { NATS_CREDENTIALS_FILE: seed, NATS_URL: 'nats://user:secret@host' })).toEqual([
    'NATS_CREDENTIALS_FILE: NATS_URL names a user or a token as well. Leave one of them out.',
  ]);
  expect(read('demo', { NATS_CREDENTIALS_FILE: seed, NATS_URL: 'nats://host' }).nats).toMatchObject({
    credentials: { seed: `SU${'A'.repeat(56)}` },
  });
  const authority = await createTestAuthority('NATS');
  const [client, second] = [await authority.issue({ endpointId: 'node' }), await authority.issue({ endpointId: 'node' })];
  const pems = writePems({ cert: client.cert, key: client.key, other: second.key });
  expect(faults('demo', { NATS_URL: 'tls://host', NATS_CERT_FILE: pems.cert })).toEqual([
    expect.stringMatching(/^NATS_KEY_FILE: is missing while NATS_CERT_FILE is set/u),
  ]);
  expect(faults('demo', { NATS_URL: 'tls://host', NATS_CERT_FILE: pems.cert, NATS_KEY_FILE: pems.other })).toEqual([
    expect.stringMatching(/^NATS_CERT_FILE: it and NATS_KEY_FILE cannot be used together \(.+\)\./u),
  ]);
  expect(faults('demo', { NATS_URL: 'nats://host', NATS_CERT_FILE: pems.cert, NATS_KEY_FILE: pems.key })).toEqual([
    'NATS_CERT_FILE: is set while NATS_URL is not tls://. Use tls://, or leave it out.',
  ]);
  expect(read('demo', { NATS_URL: 'tls://host', NATS_CERT_FILE: pems.cert, NATS_KEY_FILE: pems.key }).nats).toMatchObject({
    client,
  });
  rmSync(folder, { recursive: true });
});

test('docs/operations.md lists every setting, once, and no removed one', () => {
  const operations = readFileSync(new URL('../../../../../docs/operations.md', import.meta.url), 'utf8');
  const [, table = ''] = operations.split('| variable | meaning | default |');
  const first = table
    .split('\n\n')[0]!
    .split('\n')
    .map((line) => line.split('|')[1] ?? '');
  const documented = first.flatMap((cell) => [...cell.matchAll(/`([A-Z_]+)`/gu)].map(([, name]) => name!));
  expect(documented.sort()).toEqual(Object.keys(variables).sort());
});

test('a misspelt or unknown setting is rejected with a suggestion', () => {
  expect(faults('serve', { ...production, DATABASE_ULR: 'postgresql://owner:pw@db/highline' })).toEqual([
    'DATABASE_ULR: is not a setting. Did you mean DATABASE_URL?',
  ]);
  expect(
    faults('serve', {
      ...production,
      PUBLIC_URL: 'http://127.0.0.1:8080',
      TRUSTED_PROXIES: '',
      HIGHLINE_MASTERKEY: key,
      HIGHLINE_COLOUR: 'red',
      trusted_proxies: 'loopback',
    }),
  ).toEqual([
    'HIGHLINE_COLOUR: is not a setting. Remove it; docs/operations.md lists all settings.',
    'HIGHLINE_MASTERKEY: is not a setting. Did you mean HIGHLINE_MASTER_KEY?',
    'trusted_proxies: is not a setting. Did you mean TRUSTED_PROXIES?',
  ]);
  const file = join(folder, 'settings');
  writeFileSync(file, 'SMTP_URI=smtp://mail\nCOLOUR=red\n');
  expect(faults('serve', { ...production, HIGHLINE_SETTINGS: file })).toEqual([
    'COLOUR: is not a setting. Remove it; docs/operations.md lists all settings.',
    'SMTP_URI: is not a setting. Did you mean SMTP_URL?',
  ]);
});

test('variables of other programs are left alone, and so are empty ones', () => {
  const others = {
    HOSTNAME: 'a',
    PORTS: '1',
    PATH: '/bin',
    DATABASE: 'x',
    SSL_CERT_FILE: '/x',
    HIGHLINE_PASSWORD: 'x',
    HIGHLINE_E2E_LATENCY: '600',
  };
  expect(faults('serve', { ...production, ...others, DATABASE_ULR: '', HIGHLINE_COLOUR: ' ' })).toEqual([]);
  const url = 'postgresql://owner:pw@db/highline';
  expect(faults('serve', { ...production, DATABASE_URL: url, DATABASE_URI: url })).toEqual([]);
});

test('HKS-03-partial a name that a command reads, or that a page says to export, is no unknown setting', () => {
  const root = new URL('../../../../../', import.meta.url);
  const commands = new URL('apps/server/src/cli/', root);
  const files = readdirSync(commands, { recursive: true, encoding: 'utf8' }).filter((path) => /(?<!\.test)\.ts$/u.test(path));
  const texts = [...files.map((path) => new URL(path, commands)), new URL('docs/programs.md', root)].map((url) =>
    readFileSync(url, 'utf8'),
  );
  const names = texts.flatMap((text) => Array.from(text.matchAll(/\bHIGHLINE_[A-Z_]+/gu), ([name]) => name));
  expect(names).toEqual(expect.arrayContaining(['HIGHLINE_URL', 'HIGHLINE_API_KEY', 'HIGHLINE_PASSWORD']));
  const given = Object.fromEntries(names.map((name) => [name, 'x']));
  expect(faults('serve', { ...given, ...production }).filter((fault) => fault.includes('is not a setting'))).toEqual([]);
});

test('an invalid data folder is reported with all other faults, and nothing is created', () => {
  const file = join(folder, 'file');
  writeFileSync(file, '');
  expect(faults('serve', { ...production, PORT: 'x', HIGHLINE_DATA_DIR: join(file, 'data') })).toEqual([
    expect.stringMatching(/^PORT: /u),
    expect.stringMatching(/^HIGHLINE_DATA_DIR: .* is invalid \(/u),
  ]);
  expect(faults('serve', { ...production, PORT: 'x', HIGHLINE_DATA_DIR: join(folder, 'new', 'data') })).toHaveLength(1);
  expect(existsSync(join(folder, 'new'))).toBe(false);
});

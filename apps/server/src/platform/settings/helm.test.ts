import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { variables } from './variables.ts';

// The chart, rendered by Helm itself where it is installed.

const chart = fileURLToPath(new URL('../../../../../packaging/helm/highline/', import.meta.url));
const read = (path: string) => readFileSync(join(chart, path), 'utf8');
const helm = ['/usr/local/bin/helm', '/usr/bin/helm'].find((path) => existsSync(path));

interface Named {
  readonly name: string;
}
type Labels = Readonly<Record<string, string>>;

/** What of a specification the tests read. */
interface Spec {
  readonly replicas: number;
  readonly selector: Labels & { readonly matchLabels: Labels };
  readonly template: {
    readonly metadata: { readonly labels: Labels };
    readonly spec: { readonly containers: readonly Container[]; readonly volumes: readonly Named[] };
  };
  readonly ports: readonly { readonly port: number }[];
  readonly rules: readonly {
    readonly host: string;
    readonly http: { readonly paths: readonly { readonly backend: { readonly service: Named } }[] };
  }[];
  readonly ingress: readonly unknown[];
  readonly volumeClaimTemplates?: readonly unknown[];
}

interface Container {
  readonly args?: readonly string[];
  readonly env: readonly object[];
  readonly envFrom: readonly object[];
  readonly livenessProbe: Probe;
  readonly readinessProbe: Probe;
  readonly securityContext: { readonly readOnlyRootFilesystem: boolean };
  readonly volumeMounts: readonly Named[];
}

interface Probe {
  readonly httpGet: { readonly path: string };
}

/** Properties of the schema, of which some have properties. */
interface Properties {
  readonly [name: string]: { readonly properties: Properties };
}

interface Manifest {
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly annotations?: Record<string, string>;
    readonly labels: Record<string, string>;
  };
  readonly data?: Record<string, string>;
  readonly stringData?: Record<string, string>;
  readonly spec: Spec;
}

function run(...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(helm!, args, { encoding: 'utf8' });
  return { status, stdout, stderr };
}

/** The manifests, by `kind name`. */
function render(...sets: readonly string[]): ReadonlyMap<string, Manifest> {
  const { status, stdout, stderr } = run('template', 'fleet', chart, ...sets.flatMap((set) => ['--set', set]));
  expect([status, status === 0 ? '' : stderr]).toEqual([0, '']);
  const documents = parseAllDocuments(stdout).map((document) => document.toJS() as Manifest | null);
  const manifests = documents.filter((manifest) => manifest !== null);
  expect(new Set(manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).size).toBe(manifests.length);
  return new Map(manifests.map((manifest) => [`${manifest.kind} ${manifest.metadata.name}`, manifest]));
}

const rejection = (...sets: readonly string[]) =>
  run('template', 'fleet', chart, ...sets.flatMap((set) => ['--set', set])).stderr;

test('NOD-07-partial the chart offers settings that exist, has the version of the program, and contains the alerts and the dashboard', () => {
  const { properties } = JSON.parse(read('values.schema.json')) as { properties: Properties };
  const offered = [
    ...Object.keys(properties['settings']!.properties),
    ...Object.keys(properties['secrets']!.properties['values']!.properties),
  ];
  const ofThePod = ['NODE_EXTRA_CA_CERTS'];
  expect(offered.filter((name) => !Object.hasOwn(variables, name) && !ofThePod.includes(name))).toEqual([]);
  // Those that the chart itself sets, that Kubernetes has no use for, or that make the program a directory of cells.
  const others = [
    'CELLS',
    'PORT',
    'HOST',
    'METRICS_LISTEN',
    'PUBLIC_URL',
    'HIGHLINE_DATA_DIR',
    'HIGHLINE_NODE_NAME',
    'TUNNEL_URL',
    'TUNNEL_DOMAIN',
    'TUNNEL_PORTS',
  ];
  expect(others.filter((name) => offered.includes(name))).toEqual([]);
  const tls = ['TLS_CERT_FILE', 'TLS_KEY_FILE', 'TLS_CLIENT_CA_FILE'];
  expect(Object.keys(variables).filter((name) => ![...offered, ...others, ...tls].includes(name))).toEqual([]);
  const secret = Object.entries(variables).filter(([, variable]) => 'secret' in variable);
  const values = Object.keys(properties['secrets']!.properties['values']!.properties);
  expect(secret.map(([name]) => name).filter((name) => !values.includes(name))).toEqual([]);
  const { version } = JSON.parse(readFileSync(join(chart, '../../../apps/server/package.json'), 'utf8')) as { version: string };
  expect(parse(read('Chart.yaml'))).toMatchObject({ version, appVersion: version });
  // Copies: a chart contains its files, and not every way to pass a repository on keeps symbolic links.
  const packaged = (path: string) => readFileSync(join(chart, '../..', path), 'utf8');
  expect(read('files/alerts.yml')).toBe(packaged('prometheus/alerts.yml'));
  expect(read('files/dashboard.json')).toBe(packaged('grafana/highline.json'));
});

test.skipIf(helm === undefined)(
  'NOD-07-partial Helm lints and renders the chart: two processes with names of their own, and all that belongs to them',
  () => {
    const linted = run('lint', '--strict', chart, '--set', 'secrets.existing=fleet');
    expect([linted.status, linted.stdout]).toEqual([0, expect.stringContaining('0 chart(s) failed')]);
    const extras = [
      'monitoring.serviceMonitor=true',
      'monitoring.rules=true',
      'monitoring.dashboard=true',
      'networkPolicy.enabled=true',
    ];
    const all = render(
      'secrets.existing=fleet',
      'tunnels.ssh.first=20000',
      'tunnels.ssh.last=20001',
      'tunnels.pagesDomain=pages.example.net',
      ...extras,
    );
    const { spec } = all.get('StatefulSet fleet-highline')!;
    expect(spec.replicas).toBe(2);
    const container = spec.template.spec.containers[0]!;
    expect(container.env).toContainEqual({ name: 'TUNNEL_URL', value: 'https://$(POD_NAME).nodes.fleet.example.com' });
    expect(container.env).toContainEqual({ name: 'TUNNEL_DOMAIN', value: '$(POD_NAME).pages.example.net' });
    expect(container.envFrom).toEqual([{ configMapRef: { name: 'fleet-highline' } }, { secretRef: { name: 'fleet' } }]);
    expect([container.livenessProbe.httpGet.path, container.readinessProbe.httpGet.path]).toEqual(['/livez', '/healthz']);
    expect(container.securityContext.readOnlyRootFilesystem).toBe(true);
    const written = new Set(container.volumeMounts.map(({ name }) => name));
    expect(new Set(spec.template.spec.volumes.map(({ name }) => name))).toEqual(written);
    // Each setting is one, and the server accepts it.
    for (const [name, value] of Object.entries(all.get('ConfigMap fleet-highline')!.data!))
      expect([name, variables[name as keyof typeof variables].schema.safeParse(value).success]).toEqual([name, true]);

    // Every service selects the pods, and every backend of the ingress is a service.
    const services = [...all.values()].filter(({ kind }) => kind === 'Service');
    for (const { spec: service } of services) expect(spec.template.metadata.labels).toMatchObject(withoutPod(service.selector));
    const hosts = all.get('Ingress fleet-highline')!.spec.rules.map(({ host, http }) => {
      const { name } = http.paths[0]!.backend.service;
      expect(services.map(({ metadata }) => metadata.name)).toContain(name);
      return [host, name];
    });
    expect(hosts).toEqual([
      ['fleet.example.com', 'fleet-highline'],
      ['fleet-highline-0.nodes.fleet.example.com', 'fleet-highline-0'],
      ['*.fleet-highline-0.pages.example.net', 'fleet-highline-0'],
      ['fleet-highline-1.nodes.fleet.example.com', 'fleet-highline-1'],
      ['*.fleet-highline-1.pages.example.net', 'fleet-highline-1'],
    ]);
    const ofOne = all.get('Service fleet-highline-1')!.spec;
    expect(ofOne.selector['statefulset.kubernetes.io/pod-name']).toBe('fleet-highline-1');
    expect(ofOne.ports.map(({ port }) => port)).toEqual([80, 20_000, 20_001]);
    expect(all.get('PodDisruptionBudget fleet-highline')!.spec.selector.matchLabels).toEqual(spec.selector.matchLabels);
    const monitor = all.get('ServiceMonitor fleet-highline')!.spec;
    expect(all.get('Service fleet-highline-nodes')!.metadata.labels).toMatchObject(monitor.selector.matchLabels);
    expect(all.get('PrometheusRule fleet-highline')!.spec).toEqual(parse(read('files/alerts.yml')));
    expect(all.get('NetworkPolicy fleet-highline')!.spec.ingress).toHaveLength(2);
    const job = all.get('Job fleet-highline-migrate')!;
    expect([job.metadata.annotations!['helm.sh/hook'], job.spec.template.spec.containers[0]!.args]).toEqual([
      'pre-upgrade',
      ['migrate'],
    ]);
    // It is no member of the services.
    expect(job.spec.template.metadata.labels['app.kubernetes.io/name']).not.toBe('highline');
  },
);

test.skipIf(helm === undefined)('NOD-07-partial the chart offers SSH clients no port unless it has some', () => {
  const portsWith = (...sets: readonly string[]) =>
    render('secrets.existing=fleet', ...sets).get('ConfigMap fleet-highline')!.data!['TUNNEL_PORTS'];
  expect(portsWith()).toBe('none');
  expect(portsWith('tunnels.ssh.first=20000', 'tunnels.ssh.last=20001')).toBe('20000-20001');
});

test.skipIf(helm === undefined)(
  'NOD-07-partial images of FIRMWARE_MAX_MB pass the ingress, and fit the data folder several times',
  () => {
    const annotation = 'nginx.ingress.kubernetes.io/proxy-body-size';
    const sizeWith = (...sets: readonly string[]) =>
      render('secrets.existing=fleet', ...sets).get('Ingress fleet-highline')!.metadata.annotations![annotation];
    expect(sizeWith()).toBe('260m');
    expect(sizeWith('settings.FIRMWARE_MAX_MB=1024', 'data.size=4.5Gi')).toBe('1028m');
    const own = annotation.replaceAll('.', String.raw`\.`);
    expect(sizeWith(`ingress.annotations.${own}=2g`)).toBe('2g');
    for (const size of ['4000Mi', '4.2G', '4294967k'])
      expect(rejection('secrets.existing=fleet', 'settings.FIRMWARE_MAX_MB=1024', `data.size=${size}`)).toContain(
        'data.size: must be at least 4096Mi',
      );
    for (const size of ['4096Mi', '5G', '1Ti', '4294968k'])
      expect(sizeWith('settings.FIRMWARE_MAX_MB=1024', `data.size=${size}`)).toBe('1028m');
  },
);

test.skipIf(helm === undefined)(
  'NOD-07-partial POS-03-partial files of MAP_TILES are mounted wherever the settings are read',
  () => {
    const tiles = 'tiles';
    const all = render(
      'secrets.existing=fleet',
      'settings.MAP_TILES=/srv/maps',
      `extraVolumes[0].name=${tiles}`,
      `extraVolumes[0].persistentVolumeClaim.claimName=${tiles}`,
      `extraVolumeMounts[0].name=${tiles}`,
      'extraVolumeMounts[0].mountPath=/srv/maps',
    );
    for (const name of ['StatefulSet fleet-highline', 'Job fleet-highline-migrate']) {
      const { containers, volumes } = all.get(name)!.spec.template.spec;
      expect(volumes).toContainEqual({ name: tiles, persistentVolumeClaim: { claimName: tiles } });
      expect(containers[0]!.volumeMounts).toContainEqual({ name: tiles, mountPath: '/srv/maps' });
    }
  },
);

test.skipIf(helm === undefined)(
  'NOD-07-partial NOD-06-partial a backup is restored by a job before the first pod, and nothing else touches the database',
  () => {
    const restoring = ['replicas=0', 'command.args={restore,--from,/backup/2026-11-23}', 'command.claim=backups'];
    const all = render('secrets.existing=fleet', 'tunnels.pagesDomain=pages.example.net', ...restoring);
    expect(all.get('StatefulSet fleet-highline')!.spec.replicas).toBe(0);
    expect(all.has('Job fleet-highline-migrate')).toBe(false);
    expect(all.get('Ingress fleet-highline')!.spec).toMatchObject({ rules: [{}], tls: [{ hosts: ['fleet.example.com'] }] });
    const job = all.get('Job fleet-highline-command-1')!;
    expect(job.metadata.annotations).toBeUndefined();
    const { containers, volumes } = job.spec.template.spec;
    const [container] = containers;
    expect(container!.args).toEqual(['restore', '--from', '/backup/2026-11-23']);
    expect(container!.envFrom).toEqual(all.get('StatefulSet fleet-highline')!.spec.template.spec.containers[0]!.envFrom);
    expect(container!.volumeMounts).toContainEqual({ name: 'backup', mountPath: '/backup' });
    expect(new Set(container!.volumeMounts.map(({ name }) => name))).toEqual(new Set(volumes.map(({ name }) => name)));
    expect(volumes).toContainEqual({ name: 'backup', persistentVolumeClaim: { claimName: 'backups' } });
    expect(job.spec.template.metadata.labels['app.kubernetes.io/name']).not.toBe('highline');

    const alone = render('secrets.existing=fleet', 'data.persistent=true', ...restoring);
    expect(alone.get('Job fleet-highline-command-1')!.spec.template.spec.volumes).toContainEqual({
      name: 'data',
      persistentVolumeClaim: { claimName: 'data-fleet-highline-0' },
    });
    const kinds = [...render('secrets.existing=fleet').keys()];
    expect(kinds.filter((each) => each.startsWith('Job '))).toEqual(['Job fleet-highline-migrate']);
  },
);

const withoutPod = ({ 'statefulset.kubernetes.io/pod-name': _, ...labels }: Record<string, string>) => labels;

test.skipIf(helm === undefined)(
  'NOD-07-partial an install says how the error log of ingress-nginx is kept free of the secrets of routers',
  () => {
    const notes = (...more: readonly string[]) => {
      const sets = ['secrets.existing=fleet', ...more].flatMap((set) => ['--set', set]);
      return run('install', 'fleet', chart, '--dry-run=client', ...sets).stdout.split('NOTES:')[1];
    };
    expect(notes()).toContain('error-log-level: crit');
    expect(notes('ingress.enabled=false')).not.toContain('error-log-level');
  },
);

test.skipIf(helm === undefined)('NOD-07-partial values that cannot work are rejected with the reason', () => {
  expect(rejection()).toContain('set secrets.existing to the name of a Secret');
  expect(rejection('secrets.existing=fleet', 'replica=3')).toContain("additional properties 'replica' not allowed");
  expect(rejection('secrets.existing=fleet', 'settings.TELEMETRY_DAY=3')).toContain("'TELEMETRY_DAY' not allowed");
  const given = ['HIGHLINE_MASTER_KEY', 'DATABASE_URL', 'SMTP_URL', 'NATS_URL'].map((name) => `secrets.values.${name}=x`);
  expect(rejection(...given)).toContain('secrets.values.BLOBS_URL: is missing while replicas is above 1');
  expect(rejection(...given, 'replicas=1')).toContain('data.persistent: must be true without BLOBS_URL');
  const alone = render(...given, 'replicas=1', 'data.persistent=true');
  expect(alone.get('Secret fleet-highline')!.stringData).toMatchObject({ HIGHLINE_MASTER_KEY: 'x' });
  expect(alone.get('StatefulSet fleet-highline')!.spec.volumeClaimTemplates).toHaveLength(1);
  expect(alone.has('PodDisruptionBudget fleet-highline')).toBe(false);
});

// `npm run bench [-- SECTION …]`: every figure of "Speed and memory" with its raw ceiling from the same run.
import { writeFileSync } from 'node:fs';
import { availableParallelism, totalmem } from 'node:os';
import { benchAlerts } from './alerts.ts';
import { benchBackup } from './backup.ts';
import { benchClients } from './clients.ts';
import { startCluster, type Cluster } from './cluster.ts';
import { benchConsole } from './console.ts';
import { benchCoverage } from './coverage.ts';
import { benchDevices } from './devices.ts';
import { benchEsims } from './esims.ts';
import { benchFeeds } from './feeds.ts';
import { benchGroups } from './groups.ts';
import { keepTables, listFalls, readKept } from './kept.ts';
import { killedSections } from './kill.sections.ts';
import { benchLimited } from './limited.ts';
import { benchMail } from './mail.ts';
import { benchMap } from './map.ts';
import { benchLogs } from './logs.ts';
import { fdatasyncTimes, percentile } from './measure.ts';
import { benchNodes } from './nodes.ts';
import { options } from './options.ts';
import { benchOrganizations } from './organizations.ts';
import { benchPace } from './pace.ts';
import { benchPalette } from './palette.ts';
import { benchPlaces } from './places.ts';
import { benchPositions } from './positions.ts';
import { killWebhooks } from './webhooks.kill.ts';
import { benchPush } from './webhooks.push.ts';
import { benchReports } from './reports.ts';
import { benchRollouts } from './rollouts.ts';
import { benchRouters } from './routers.ts';
import { benchScale } from './scale.ts';
import { benchSettings } from './settings.ts';
import { benchSignIn } from './sign-in.ts';
import { measureSlowness } from './slowness.ts';
import { benchStart } from './start.ts';
import { amountOf, tables } from './table.ts';
import { benchTelemetry } from './telemetry.ts';
import { benchTerminal } from './terminal.ts';
import { benchTools } from './tools.ts';
import { benchUsage } from './usage.ts';
import { benchWebhooks } from './webhooks.ts';

const sections: Readonly<Record<string, (cluster: Cluster) => Promise<void>>> = {
  devices: benchDevices,
  alerts: benchAlerts,
  backup: benchBackup,
  clients: benchClients,
  feeds: benchFeeds,
  groups: benchGroups,
  esims: benchEsims,
  limited: benchLimited,
  pace: benchPace,
  palette: benchPalette,
  places: benchPlaces,
  positions: benchPositions,
  map: benchMap,
  organizations: benchOrganizations,
  mail: benchMail,
  logs: benchLogs,
  push: benchPush,
  reports: benchReports,
  rollouts: benchRollouts,
  nodes: benchNodes,
  routers: benchRouters,
  scale: benchScale,
  settings: benchSettings,
  telemetry: benchTelemetry,
  terminal: benchTerminal,
  tools: benchTools,
  usage: benchUsage,
  webhooks: benchWebhooks,
  console: benchConsole,
  coverage: benchCoverage,
  'sign-in': benchSignIn,
  start: benchStart,
};

const runs = options.kill ? killedSections({ webhooks: killWebhooks }) : sections;
const selected = options.sections;
const unknown = selected.filter((name) => runs[name] === undefined);
if (unknown.length > 0) {
  console.error(`There is no section ${unknown.join(', ')}; there are: ${Object.keys(runs).join(', ')}.`);
  process.exit(2);
}

const cluster = await startCluster();
try {
  describeMachine(cluster.folder);
  for (const name of selected.length > 0 ? selected : Object.keys(runs).filter((each) => each !== 'scale'))
    await runs[name]!(cluster);
  console.log(`\nAfterwards: ${describeSpeed()}`);
  if (options.json !== undefined) writeFileSync(options.json, JSON.stringify({ at: new Date(), tables }, undefined, 2));
  if (options.compare) compareWithKept();
  if (options.keep) keepTables(tables, new Date());
} finally {
  await cluster.stop();
}

/** A figure that has become worse is easily overlooked among some hundred others. */
function compareWithKept(): void {
  const { compared, falls } = listFalls(tables, readKept());
  const all = tables.reduce((sum, { figures }) => sum + figures.length, 0);
  console.log(`\n${compared} of ${all} figures were compared; --keep keeps those of a run.`);
  console.log(falls.length === 0 ? 'None is worse than in the kept runs.' : `Worse than in the kept runs:\n${falls.join('\n')}`);
  if (falls.length > 0 || compared === 0) process.exitCode = 1;
}

function describeMachine(folder: string): void {
  const disk = fdatasyncTimes(folder);
  const memory = Math.round(totalmem() / 1024 ** 3);
  console.log(`${new Date().toISOString()} · Node ${process.versions.node} · ${availableParallelism()} cores · ${memory} GiB`);
  console.log(
    `fdatasync of 8 KiB on the disk of the database: ${amountOf([percentile(disk, 0.5), percentile(disk, 0.99)], 'ms')} (p50 / p99)`,
  );
  console.log(describeSpeed());
}

/** A machine that others use is not as fast at each time. */
function describeSpeed(): string {
  return `a fixed piece of work takes ${measureSlowness().toFixed(2)} × the processor time of the machine of docs/benchmarks.md.`;
}

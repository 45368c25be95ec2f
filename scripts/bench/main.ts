import { benchConsole } from './console.ts';
import { benchDevices } from './devices.ts';
import { cpuSeconds, fdatasync, ms, print, type Figure } from './figures.ts';
import { benchRouters, benchTelemetry } from './routers.ts';
import { benchStart } from './start.ts';
import { openStage, type Stage } from './stage.ts';

// `npm run bench [-- devices routers telemetry console start]`: each figure beside its raw ceiling of the same run.

const sections: Readonly<Record<string, { readonly title: string; readonly run: (stage: Stage) => Promise<Figure[]> }>> = {
  console: { title: 'Console', run: benchConsole },
  devices: { title: 'Device list, 100,000 devices of one organization', run: benchDevices },
  telemetry: { title: 'Telemetry', run: benchTelemetry },
  routers: { title: 'Routers on one server process', run: benchRouters },
};

const asked = process.argv.slice(2);
const wanted = (name: string) => asked.length === 0 || asked.includes(name);

process.stdout.write(`disk: fdatasync of 4 kB ${ms(fdatasync())} (median)\n`);
if (wanted('start')) print('Start', await benchStart());
for (const [name, { title, run }] of Object.entries(sections)) {
  if (!wanted(name)) continue;
  const before = cpuSeconds();
  const stage = await openStage();
  try {
    const figures = await run(stage);
    print(`${title} (generator ${(cpuSeconds() - before).toFixed(1)} CPU s, server ${stage.cpu().toFixed(1)} CPU s)`, figures);
  } finally {
    await stage.close();
  }
}
process.exit(0);

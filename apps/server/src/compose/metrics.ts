import type { FastifyInstance } from 'fastify';
import { type FigureSources } from './figures-of-routers.ts';
import { figuresOf } from './figures.ts';
import { RouteTable } from '../transport/http/register.ts';
import { createMetrics, listenForMetrics, type MetricsListener } from '../platform/metrics/index.ts';
import type { OpenModule } from '../platform/modules/module.ts';
import type { Settings } from '../platform/settings/settings.ts';
import type { Log } from '../platform/ports/log.ts';

export type MetricsSources = Omit<FigureSources, 'sockets' | 'ofModules'> & {
  readonly app: FastifyInstance;
  /** Name of the cell, or host of the console. */
  readonly installation: string;
  readonly opened: readonly OpenModule[];
};

/** The metrics of this process, which count nothing unless they are served. @param at the listener's address; undefined: not served */
export function openMetrics(at: Settings['metrics'], table: RouteTable, sources: MetricsSources) {
  const { app, opened } = sources;
  const ofModules = at === undefined ? [] : opened.flatMap((module) => module.metrics?.() ?? []);
  const metrics =
    at &&
    createMetrics({
      app,
      operations: () => table.operations,
      installation: sources.installation,
      figures: figuresOf({
        ...sources,
        sockets: () => countSockets(app),
        ofModules: ofModules.flatMap(({ figures }) => figures),
      }),
    });
  let listener: MetricsListener | undefined;
  return {
    jobs: ofModules.flatMap(({ jobs = [] }) => jobs),
    port: () => listener?.port,
    async listen(log: Log): Promise<void> {
      if (metrics !== undefined && at !== undefined) listener = await listenForMetrics(metrics, at, log);
    },
    close: async () => listener?.close(),
  };
}

function countSockets({ server }: FastifyInstance): Promise<number> {
  return new Promise((resolve, reject) => {
    server.getConnections((error, count) => (error === null ? resolve(count) : reject(error)));
  });
}

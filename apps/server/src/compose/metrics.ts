import type { FastifyInstance } from 'fastify';
import { figuresOf, type FigureSources } from './figures.ts';
import { countDueMails } from '../domains/mails/index.ts';
import { countWaiting, type WaitingDeliveries } from '../domains/webhooks/index.ts';
import { readRolloutFigures, type RolloutFigures } from '../domains/rollouts/index.ts';
import { RouteTable } from '../transport/http/register.ts';
import { createMetrics, createSampled, listenForMetrics, type MetricsListener } from '../platform/metrics/index.ts';
import type { Clock } from '../platform/ports/clock.ts';
import type { Database } from '../platform/ports/database.ts';
import type { Settings } from '../platform/settings/settings.ts';
import type { Log } from '../platform/ports/log.ts';

export type MetricsSources = Omit<FigureSources, 'sockets' | 'mailsDue' | 'rolloutFigures' | 'webhooksWaiting'> & {
  readonly app: FastifyInstance;
  readonly database: Database;
  readonly clock: Clock;
};

/** The metrics of this process, which count nothing unless they are served. @param at the listener's address; undefined: not served */
export function openMetrics(at: Settings['metrics'], table: RouteTable, sources: MetricsSources) {
  const { app, database, clock } = sources;
  const rolloutFigures = createSampled<RolloutFigures>('rollouts by state', clock, () =>
    readRolloutFigures(database, clock.now()),
  );
  const dueMails = createSampled('due mails', clock, () => countDueMails(database, clock.now()));
  const waiting = createSampled<WaitingDeliveries>('waiting webhooks', clock, () => countWaiting(database, clock.now()));
  const metrics =
    at &&
    createMetrics({
      app,
      operations: () => table.operations,
      figures: figuresOf({
        ...sources,
        sockets: () => countSockets(app),
        mailsDue: dueMails.read,
        rolloutFigures: rolloutFigures.read,
        webhooksWaiting: waiting.read,
      }),
    });
  let listener: MetricsListener | undefined;
  return {
    jobs: metrics === undefined ? [] : [dueMails.job, rolloutFigures.job, waiting.job],
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

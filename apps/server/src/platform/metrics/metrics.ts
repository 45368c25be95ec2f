import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Operation } from '@highline/contract';

/** One figure of this process, or one for each value of its label. Names and labels are constants, never data. */
export interface Figure {
  /** Name without the prefix. */
  readonly name: string;
  readonly help: string;
  readonly label?: string;
  /** Labels with a value that does not change. */
  readonly constants?: Readonly<Record<string, string>>;
  /** It only grows while the process runs. */
  readonly isCounter?: true;
  /** Read at each scrape, never from the database; NaN when it fails or takes longer than a second. */
  readonly read: () => number | Readonly<Record<string, number>> | Promise<number>;
}

export interface MetricsDeps {
  /** Server whose calls are measured; its routes may be registered later. */
  readonly app: FastifyInstance;
  readonly operations: () => readonly Pick<Operation, 'id' | 'method' | 'path' | 'sends'>[];
  readonly figures: readonly Figure[];
  /** Value of the label `installation` of every figure: a Prometheus may read several installations. */
  readonly installation: string;
}

export interface Metrics {
  readonly contentType: string;
  /** All figures as Prometheus text. */
  text(): Promise<string>;
}

const PREFIX = 'highline_';
/** Seconds: from a response out of memory to a query rejected as too expensive. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/**
 * Metrics of this process for Prometheus. No label identifies a tenant: labels name operations, statuses and parts of the
 * program.
 */
export function createMetrics({ app, operations, figures, installation }: MetricsDeps): Metrics {
  const registry = new Registry();
  registry.setDefaultLabels({ installation });
  // The process itself: CPU time, memory, handles, event loop lag and garbage collector.
  collectDefaultMetrics({ register: registry });
  measureCalls(app, operations, registry);
  for (const figure of figures) addFigure(registry, figure);
  return { contentType: registry.contentType, text: () => registry.metrics() };
}

function measureCalls(app: FastifyInstance, operations: MetricsDeps['operations'], registry: Registry): void {
  const durations = new Histogram({
    name: `${PREFIX}http_seconds`,
    help: 'Time until a call was answered, by operation and status class.',
    labelNames: ['operation', 'status'] as const,
    buckets: BUCKETS,
    registers: [registry],
  });
  let names: ReadonlyMap<string, string | undefined> | undefined;
  app.addHook('onResponse', async (request, reply) => {
    names ??= namesOf(operations());
    const route = `${request.method} ${request.routeOptions.url ?? ''}`;
    const operation = names.has(route) ? names.get(route) : 'other';
    if (operation === undefined) return;
    durations.observe({ operation, status: `${Math.floor(reply.statusCode / 100)}xx` }, reply.elapsedTime / 1_000);
  });
}

/** Operations by method and route; undefined for streams, whose duration has no meaning. */
function namesOf(operations: ReturnType<MetricsDeps['operations']>): ReadonlyMap<string, string | undefined> {
  return new Map(
    operations.map(({ id, method, path, sends }) => [
      `${method} ${path.replaceAll(/\{(\w+)\}/gu, ':$1')}`,
      sends === 'events' ? undefined : id,
    ]),
  );
}

const READ_MS = 1_000;

function unknownAfter(milliseconds: number): Promise<number> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(Number.NaN), milliseconds).unref();
  });
}

function addFigure(registry: Registry, { name, help, label, constants = {}, isCounter, read }: Figure): void {
  const options = {
    name: `${PREFIX}${name}`,
    help,
    labelNames: [...(label === undefined ? [] : [label]), ...Object.keys(constants)],
    registers: [registry],
    async collect() {
      const value = await Promise.race([Promise.resolve().then(read), unknownAfter(READ_MS)]).catch(() => Number.NaN);
      metric.reset();
      const values = typeof value === 'number' ? [[undefined, value] as const] : Object.entries(value);
      // A counter takes no NaN; without a value it is left out.
      for (const [key, each] of values)
        if (isCounter !== true || each >= 0)
          metric.inc({ ...constants, ...(key === undefined ? {} : { [label ?? 'of']: key }) }, each);
    },
  };
  const metric: Gauge | Counter = isCounter === true ? new Counter(options) : new Gauge(options);
}

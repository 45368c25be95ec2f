import { createHttpSink } from '../platform/adapters/sinks/https.ts';
import { createJetStreamSink } from '../platform/adapters/sinks/jetstream.ts';
import { findOwnersAt } from '../domains/inventory/index.ts';
import { createTelemetrySink, type TelemetrySink } from '../domains/router-state/index.ts';
import type { Deps } from '../platform/ports/deps.ts';
import type { Settings } from '../platform/settings/settings.ts';

/** What copies readings to the sink of the settings; undefined without one. @param node id of this process */
export function openTelemetrySink(
  { telemetrySink }: Pick<Settings, 'telemetrySink'>,
  node: string,
  deps: Pick<Deps, 'database' | 'log'>,
): TelemetrySink | undefined {
  if (telemetrySink === undefined) return undefined;
  const { to, hours } = telemetrySink;
  const sink = to.kind === 'http' ? createHttpSink(to) : createJetStreamSink(to);
  return createTelemetrySink({ ...deps, sink, node, hours, findOwners: (reports) => findOwnersAt(deps.database.read, reports) });
}

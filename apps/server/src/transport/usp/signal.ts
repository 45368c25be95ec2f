import type { Ingest } from '../../domains/router-state/index.ts';
import type { Session } from './session.ts';

/** Keep the signal that was measured last; one that the router does not know any more is none. */
export function takeSignal(
  session: Pick<Session, 'rssi' | 'primary'>,
  ingest: Pick<Ingest, 'signalIn'>,
  reports: Parameters<Ingest['signalIn']>[0],
): void {
  const signal = ingest.signalIn(reports, session.primary.modem);
  if (signal !== undefined) session.rssi = signal;
}

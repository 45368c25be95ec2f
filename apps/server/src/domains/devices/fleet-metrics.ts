import { alerts } from '@highline/contract';
import { Gauge, Registry } from 'prom-client';
import type { FleetFigures } from './fleet-metrics.queries.ts';

const OF = ['organization', 'organization_id'] as const;

/** Figures as Prometheus text (HKS-05). Labels name organizations and carriers, never a device: the number of series stays small. */
export function writeFleetMetrics(fleets: readonly FleetFigures[]): Promise<string> {
  const registers = [new Registry()];
  const gauge = <Label extends string>(name: string, help: string, labels: readonly Label[]) =>
    new Gauge({ name: `highline_fleet_${name}`, help, labelNames: [...OF, ...labels], registers });
  const devices = gauge('devices', 'Devices by state of their connection.', ['state']);
  const carriers = gauge('carrier_devices', 'Devices by carrier and state of their connection.', ['carrier', 'state']);
  const offline = gauge('offline_devices', 'Devices that are offline for longer than this many seconds.', ['longer_than']);
  const weak = gauge('weak_signal_devices', 'Devices that are online with a weak signal.', []);
  const sims = gauge('failed_sim_devices', 'Devices with an eSIM profile that failed.', []);
  const subscriptions = gauge('subscription_devices', 'Devices by status of their subscription, as far as it needs attention.', [
    'status',
  ]);
  const used = gauge('used_bytes', 'Bytes of the calendar month so far (UTC), by direction.', ['direction']);
  const open = gauge('alerts', 'Open alerts by severity and state.', ['severity', 'state']);
  for (const { id, name, used: bytes, alerts: counted, states, carriers: byCarrier, counts } of fleets) {
    const of = { organization: name, organization_id: id };
    for (const [state, count] of states) devices.set({ ...of, state }, count);
    for (const { carrier, state, devices: count } of byCarrier) carriers.set({ ...of, carrier, state }, count);
    offline.set({ ...of, longer_than: '3600' }, counts.hour);
    offline.set({ ...of, longer_than: '86400' }, counts.day);
    weak.set(of, counts.weak);
    sims.set(of, counts.sims);
    subscriptions.set({ ...of, status: 'expiring' }, counts.expiring);
    subscriptions.set({ ...of, status: 'ended' }, counts.unsubscribed);
    // Also those of which there are none: an alert that ends is 0, and no gap.
    for (const severity of alerts.severities)
      for (const state of ['firing', 'acknowledged'] as const)
        open.set(
          { ...of, severity, state },
          counted.find((each) => each.severity === severity && each.state === state)?.alerts ?? 0,
        );
    used.set({ ...of, direction: 'sent' }, bytes.sent);
    used.set({ ...of, direction: 'received' }, bytes.received);
  }
  return registers[0]!.metrics();
}

import { createHash } from 'node:crypto';
import { MAX_IMPACT_VEHICLES, type ConnectionChange, type ConnectionImpact } from '@highline/contract';
import { DomainError } from '../../kernel/failure.ts';
import type { FoundRouter } from './profile-routers.store.ts';
import type { LineupProfile } from './lineup.ts';

type Named = Pick<LineupProfile, 'carrier' | 'name' | 'iccid'>;

/** A vehicle in an impact. */
export function vehicleOf({ deviceId, serial, vehicle }: FoundRouter): Pick<ConnectionChange, 'device' | 'serial' | 'vehicle'> {
  return { device: deviceId, serial, vehicle };
}

/** A router that switches to another profile. @param from undefined = the router has not reported what it uses */
export function carrierChange(router: FoundRouter, from: Named | undefined, to: Named): ConnectionChange {
  return { ...vehicleOf(router), kind: 'carrier', from: from === undefined ? '' : labelOf(from), to: labelOf(to) };
}

/** The display name of a profile: its carrier; without one its name or number. */
export function labelOf({ carrier, name, iccid }: Named): string {
  return carrier || name || iccid;
}

/** The preview of changes, identified by a fingerprint of all of them. */
export function impactOf(changes: readonly ConnectionChange[]): ConnectionImpact {
  const sorted = changes.toSorted((a, b) => (a.serial === b.serial ? 0 : a.serial < b.serial ? -1 : 1));
  const digest = createHash('sha256');
  for (const { device, kind, from, to } of sorted) digest.update(`${JSON.stringify([device, kind, from, to])}\n`);
  const count = (kind: ConnectionChange['kind']) => sorted.filter((change) => change.kind === kind).length;
  return {
    carrier: count('carrier'),
    unreachable: count('unreachable'),
    accessPoint: count('access-point'),
    vehicles: sorted.slice(0, MAX_IMPACT_VEHICLES),
    confirmation: digest.digest('hex'),
  };
}

/**
 * Compare the changes that an action makes now with those the user confirmed.
 * @param confirmed undefined = the caller requested no preview and accepts any change
 * @throws DomainError `impact.changed` with the new impact as detail
 */
export function assertConfirmed(changes: readonly ConnectionChange[], confirmed: string | undefined): ConnectionImpact {
  const impact = impactOf(changes);
  if (confirmed !== undefined && confirmed !== impact.confirmation) throw new DomainError('impact.changed', { detail: impact });
  return impact;
}

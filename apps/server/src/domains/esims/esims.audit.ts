import { createHash } from 'node:crypto';
import { type AuditEvent, sentence } from '../logs/index.ts';
import type { LockedProfile, NewProfile, ProfileChange } from './esims.store.ts';
import type { UseAuthor } from './use-author.ts';

/** The logged fields of a profile: never its codes. */
type AuditedProfile = Pick<NewProfile, 'id' | 'deviceId' | 'serial' | 'eid' | 'iccid' | 'apn' | 'apn2' | 'name' | 'priority'>;

const keys = {
  Added: 'esim.added',
  Deleted: 'esim.deleted',
  'Tried again': 'esim.tried_again',
  'Switched to': 'esim.switched',
  'Planned the switch to': 'esim.switch_planned',
  'Withdrew the switch to': 'esim.switch_withdrawn',
  'Did not switch to': 'esim.switch_not_allowed',
} as const;

/** The log entry of an action on one profile. */
export function profileEvent(verb: keyof typeof keys, profile: AuditedProfile | LockedProfile): AuditEvent {
  const audited = auditedOf(profile);
  const { id, deviceId, serial, eid, iccid, apn, apn2, name, priority } = audited;
  return {
    action: sentence(keys[verb], nameOf(audited), serial),
    subject: { kind: 'esim', id },
    detail: { serial, eid, iccid, apn, apn2, name, priority },
    devices: [deviceId],
  };
}

/** The log entry of a switch that was withdrawn because who requested it may not do so any more. */
export function notAllowedEvent(profile: AuditedProfile, author: UseAuthor | null): AuditEvent {
  const event = profileEvent('Did not switch to', profile);
  if (author === null) return event;
  const { email, key } = author.actor;
  return { ...event, detail: { ...event.detail, by: email, ...(key !== undefined && { key: key.label }) } };
}

/** The log entry of a new order of the profiles of one router. */
export function orderEvent(profiles: readonly LockedProfile[], numbers: ReadonlyMap<string, number>): AuditEvent {
  const [{ serial, device_id: device }] = profiles as readonly [LockedProfile, ...LockedProfile[]];
  const named = (priorityOf: (profile: LockedProfile) => number) =>
    profiles.toSorted((a, b) => priorityOf(a) - priorityOf(b)).map((profile) => nameOf(auditedOf(profile)));
  return {
    action: sentence('esim.order_changed', serial),
    subject: { kind: 'device', id: device },
    detail: {
      serial,
      before: named(({ priority }) => priority),
      after: named(({ id, priority }) => numbers.get(id) ?? priority),
    },
    devices: [device],
  };
}

/** The one log entry of an import: how many, the first serial numbers, and SHA-256 over all its rows. */
export function importEvent(profiles: readonly NewProfile[]): AuditEvent {
  const [only] = profiles;
  if (profiles.length === 1 && only !== undefined) return profileEvent('Added', only);
  const digest = createHash('sha256');
  for (const { serial, eid, iccid, apn, apn2, name } of profiles)
    digest.update(`${JSON.stringify([serial, eid, iccid, apn, apn2, name])}\n`);
  return {
    action: sentence('esims.imported', profiles.length),
    subject: { kind: 'esim', id: 'many' },
    detail: {
      count: profiles.length,
      serials: profiles.slice(0, MAX_SPELLED).map(({ serial }) => serial),
      digest: digest.digest('hex'),
    },
    devices: [...new Set(profiles.map(({ deviceId }) => deviceId))],
  };
}

const MAX_SPELLED = 100;

/** Display names of the columns that can change. */
const columnNames: Record<keyof ProfileChange, string> = {
  name: 'name',
  apn: 'APN 1',
  apn2: 'APN 2',
  priority: 'priority',
  iccid: 'ICCID',
  sealed_code: 'activation code',
  sealed_confirmation: 'confirmation code',
};

/** The log entry of a change, with old and new values; of a code only the fact that it changed. */
export function changeEvent(row: LockedProfile, change: ProfileChange): AuditEvent {
  const columns = Object.keys(change) as (keyof ProfileChange)[];
  const open = columns.filter((column) => column !== 'sealed_code' && column !== 'sealed_confirmation');
  const named = (values: LockedProfile | ProfileChange) =>
    Object.fromEntries(open.map((column) => [columnNames[column], values[column]]));
  return {
    action: sentence('esim.changed', { terms: columns.map((column) => columnNames[column]) }, nameOf(auditedOf(row)), row.serial),
    subject: { kind: 'esim', id: row.id },
    detail: { serial: row.serial, before: named(row), after: named(change) },
    devices: [row.device_id],
  };
}

function auditedOf(profile: AuditedProfile | LockedProfile): AuditedProfile {
  if (!('device_id' in profile)) return profile;
  return { ...profile, deviceId: profile.device_id };
}

/** The display name of a profile; "profile" without name and number. */
function nameOf({ name, iccid }: AuditedProfile): string {
  return name || iccid || 'profile';
}

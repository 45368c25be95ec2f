import type { groups, rollouts } from '@highline/contract';
import type { Row } from '../../platform/ports/tables.ts';

/** An active binding as the queries read it. */
export interface BoundRow {
  readonly id: string;
  /** Id of the firmware or config file. */
  readonly profile: string;
  readonly label: string;
  /** Version number of a config file. */
  readonly number: number | null;
  readonly schedule: rollouts.Schedule;
  /** Epoch seconds. */
  readonly postpone: number | null;
  readonly state: 'running' | 'paused' | 'cancelled';
  /** Routers that do not have it yet, including those that failed, were rolled back or cannot take it. */
  readonly open: number;
  readonly failed: number;
  readonly rolledBack: number;
  readonly unsupported: number;
  readonly busy: number;
}

/** A group as the screens' queries read it. */
export interface GroupRow extends Row<
  'groups',
  'organization_id' | 'key' | 'name' | 'description' | 'tags' | 'report_seconds' | 'version' | 'created_at'
> {
  readonly device_count: number;
  readonly firmware: BoundRow | null;
  readonly config: BoundRow | null;
  /** Routers that lack at least one bound file. */
  readonly unfinished: number;
  /** Only if requested. */
  readonly serials?: string[];
  readonly number?: number;
}

/** A group with every field of part 1, section 3, under its exact name. */
export function toGroupDto(row: GroupRow): groups.Group {
  const { firmware, config, serials, number } = row;
  const leading = firmware ?? config;
  return {
    id: row.key,
    group: row.key,
    groupName: row.name,
    group_name: row.name,
    description: row.description,
    tags: row.tags,
    reportSeconds: row.report_seconds,
    created: row.created_at.toISOString(),
    deviceCount: row.device_count,
    ...(serials === undefined ? {} : { devices: serials }),
    schedule: leading?.schedule ?? 'immediate',
    postpone: leading?.postpone ?? null,
    firmware: firmware?.label ?? '',
    config: config?.label ?? '',
    bind: bindOf(row),
    successful: leading === null ? 0 : withoutNegative(row.device_count - row.unfinished),
    ...(number === undefined ? {} : { number }),
    org: row.organization_id,
  };
}

function bindOf({ key, firmware, config, device_count }: GroupRow): rollouts.GroupBind {
  const statusOf = (kind: rollouts.BindingKind, bound: BoundRow | null) => {
    if (bound === null) return [];
    const { profile, open, failed, rolledBack, unsupported, busy } = bound;
    const success = withoutNegative(device_count - open);
    const fail = failed + rolledBack + unsupported;
    return [{ group: key, file: profile, success, fail, kind, failed, rolledBack, unsupported, busy }];
  };
  return {
    firmware: firmware === null ? [] : [entryOf(firmware)],
    config: config === null ? [] : [entryOf(config)],
    status: [...statusOf('firmware', firmware), ...statusOf('config', config)],
  };
}

function entryOf({ profile, schedule, postpone, label, number, state }: BoundRow): rollouts.GroupBind['firmware'][number] {
  return { profile, otaSchedule: schedule, postpone, name: label, version: number, state };
}

/** Devices and targets are counted by separate statements: a device that leaves in between must not make the result negative. */
function withoutNegative(count: number): number {
  return Math.max(0, count);
}

/** The entity tag of a group. It changes with what the form edits, bindings included, not with the progress of routers. */
export function groupTag({ version, firmware, config }: Pick<GroupRow, 'version'> & { firmware: Named; config: Named }): string {
  return [version, firmware?.id, config?.id].join('.');
}

type Named = { readonly id: string } | null;

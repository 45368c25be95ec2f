// Reads tables of other domains: alerts, audit_devices, audit_entries, bindings, connectivity, geofence_events, remote_sessions, router_events, router_ownership.
import { alerts as alertCalls, esims, logs, positions, rollouts, timeline, type Right } from '@highline/contract';
import { sql } from 'kysely';
import { z } from 'zod';
import { isInstantText } from '../../kernel/calendar.ts';
import { invalidField } from '../../kernel/failure.ts';
import { mayReadPart } from '../../kernel/rights.ts';
import type { Actor } from '../../kernel/scope.ts';
import type { Fragment, Reader } from '../../platform/listing/index.ts';
import { owned, type OwnDevice } from './device-history.queries.ts';

type Item = timeline.TimelineItem;
type Remote = Extract<Item, { kind: 'remote' }>;
type Page = { readonly result: Item[]; readonly next: string | null };

const USUAL_LIMIT = 20;

/** The start of a page: after the item with this time (as the database writes it), kind and mark. */
const anchor = z.tuple([
  z.string().refine(isInstantText),
  z.enum(timeline.timelineKinds),
  z
    .string()
    .max(300)
    .refine((text) => text.isWellFormed() && !text.includes('\0')),
]);
type Anchor = z.infer<typeof anchor>;

const eventKinds = ['rollout', 'alarm', 'remote', 'sim'] as const;

/** What a kind of item is read by elsewhere; the others are of the device itself. */
const kindRights: Readonly<Partial<Record<Item['kind'], Right>>> = {
  action: logs.listLogs,
  remote: logs.listLogs,
  alert: alertCalls.listAlerts,
  sim: esims.listProfiles,
  rollout: rollouts.listRollouts,
  geofence: positions.map,
};

function isReadable(kind: Item['kind'], actor: Actor): boolean {
  const right = kindRights[kind];
  return right === undefined || mayReadPart(actor, right);
}

interface Row {
  readonly moment: string;
  readonly at: number;
  readonly kind: Item['kind'];
  /** Orders and distinguishes events of the same time. */
  readonly mark: string;
  readonly subject: string;
  readonly label: string;
  readonly state: string;
  readonly reason: string;
  readonly seq: number | null;
  /** Of a rollout the key of its group, of an action its sentence as JSON. */
  readonly extra: string | null;
}

/**
 * The history of a device, newest first, paged by key. It contains the router's events only from the time this device had it, and
 * user actions only from the log of the present organization, so that no one sees users of another one.
 * @param actor what its own role and API key do not let it read elsewhere is left out
 * @throws DomainError `request.invalid` for a cursor that was not made here
 */
export async function pageTimeline(
  reader: Reader,
  device: OwnDevice & { readonly organization_id: string },
  actor: Actor,
  {
    kind,
    limit = USUAL_LIMIT,
    cursor,
  }: { kind?: Item['kind'] | undefined; limit?: number | undefined; cursor?: string | undefined },
): Promise<Page> {
  const after = cursor === undefined ? undefined : parseAnchor(cursor);
  const read = { device, after, most: limit + 1 };
  const shows = (one: Item['kind']) => (kind === undefined || kind === one) && isReadable(one, actor);
  const ofRouter = eventKinds.filter((one) => shows(one));
  const sources = [
    ...(shows('connection') ? [connections(read)] : []),
    ...(shows('action') ? [actions(read)] : []),
    ...(shows('geofence') ? [crossings(read)] : []),
    ...(shows('alert') ? alerts(read) : []),
    ...(ofRouter.length > 0 ? [routerEvents(read, ofRouter)] : []),
  ];
  if (sources.length === 0) return { result: [], next: null };
  const rows =
    await reader.rows<Row>(sql`select u.at::text as moment, extract(epoch from u.at)::float8 as at, u.kind, u.mark, u.subject,
      u.label, u.state, u.reason, u.seq, u.extra
    from (${sql.join(sources, sql` union all `)}) u (at, kind, mark, subject, label, state, reason, seq, extra)
    order by u.at desc, u.kind desc, u.mark desc limit ${read.most}`);
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const next = rows.length > limit && last !== undefined ? formatAnchor([last.moment, last.kind, last.mark]) : null;
  return { result: shown.map(itemOf), next };
}

interface Reading {
  readonly device: OwnDevice & { readonly organization_id: string };
  readonly after: Anchor | undefined;
  readonly most: number;
}

/** Later on the page than its beginning; the first half enters the index. */
function beyond({ after }: Reading, at: Fragment, kind: Fragment, mark: Fragment): Fragment {
  if (after === undefined) return sql`true`;
  const [moment, afterKind, afterMark] = after;
  return sql`${at} <= ${moment}::timestamptz
    and (${at}, ${kind}, ${mark}) < (${moment}::timestamptz, ${afterKind}::text collate "C", ${afterMark}::text collate "C")`;
}

const held = (at: Fragment) => sql`${at} >= o.owned_from and ${at} < coalesce(o.owned_until, 'infinity')`;
const kindOf = (kind: Item['kind']) => sql`${kind}::text collate "C"`;
const marked = (id: Fragment) => sql`lpad(${id}::text, 20, '0') collate "C"`;

/**
 * Events of each router that the device had, from the time in which it had it: as many of each as the page may need, so that one query of an
 * index in its order ends early.
 */
function ofEachRouter(read: Reading, events: Fragment): Fragment {
  return sql`(select e.* from router_ownership o cross join lateral (${events}) e where ${owned(read.device)})`;
}

function connections(read: Reading): Fragment {
  const mark = sql`(c.kind || ' ' || c.reason) collate "C"`;
  return ofEachRouter(
    read,
    sql`select c.at, ${kindOf('connection')}, ${mark} as mark, '', '', c.kind, c.reason, null::bigint, null::text
      from connectivity c where c.router_id = o.router_id and ${held(sql`c.at`)} and ${beyond(read, sql`c.at`, kindOf('connection'), mark)}
      order by c.at desc, mark desc limit ${read.most}`,
  );
}

function crossings(read: Reading): Fragment {
  const mark = marked(sql`v.id`);
  return ofEachRouter(
    read,
    sql`select v.at, ${kindOf('geofence')}, ${mark} as mark, '', v.geofence_name, v.kind, '', null::bigint, null::text
      from geofence_events v where v.router_id = o.router_id and v.organization_id = o.organization_id and ${held(sql`v.at`)}
        and ${beyond(read, sql`v.at`, kindOf('geofence'), mark)}
      order by v.at desc, v.id desc limit ${read.most}`,
  );
}

function routerEvents(read: Reading, kinds: readonly (typeof eventKinds)[number][]): Fragment {
  const areAll = kinds.length === eventKinds.length;
  const mark = marked(sql`v.id`);
  return ofEachRouter(
    read,
    sql`select v.at, v.kind, ${mark} as mark, v.subject,
        case when v.kind = 'remote' then coalesce(s.account_email, '') else v.label end, v.state, v.reason, null::bigint,
        case when v.kind = 'remote' then s.client_address || ':' || s.client_port else b.group_key end
      from router_events v
        left join bindings b on b.id = v.rollout_id and b.organization_id = ${read.device.organization_id}::uuid
        left join remote_sessions s on s.id = v.remote_session_id and s.organization_id = ${read.device.organization_id}::uuid
      where v.router_id = o.router_id and ${held(sql`v.at`)} and ${areAll ? sql`true` : sql`v.kind = any(${kinds}::text[])`}
        and ${beyond(read, sql`v.at`, sql`v.kind`, mark)}
      order by v.at desc, v.id desc limit ${read.most}`,
  );
}

/** Alerts of the present organization, each once for every state that it had. */
function alerts(read: Reading): Fragment[] {
  const { device } = read;
  const at = (time: Fragment, state: Fragment, reason: Fragment, by: Fragment) => {
    const mark = sql`(a.id::text || ' ' || ${state}::text) collate "C"`;
    return sql`(select ${time}, ${kindOf('alert')}, ${mark} as mark, a.rule_name, ${by}, ${state}::text, ${reason}, null::bigint, a.severity
      from alerts a where a.organization_id = ${device.organization_id}::uuid and a.device_id = ${device.id}::uuid
        and ${time} is not null and ${beyond(read, time, kindOf('alert'), mark)}
      order by 1 desc, mark desc limit ${read.most})`;
  };
  const none = sql`''::text`;
  return [
    at(sql`a.fired_at`, sql`'firing'`, none, sql`coalesce(a.latitude || ' ' || a.longitude, '')`),
    at(sql`a.acknowledged_at`, sql`'acknowledged'`, sql`a.note`, sql`a.acknowledged_by`),
    at(sql`a.resolved_at`, sql`'resolved'`, sql`coalesce(a.resolution, '')`, none),
  ];
}

function actions(read: Reading): Fragment {
  const { device } = read;
  const mark = marked(sql`m.seq`);
  return sql`(select m.at, ${kindOf('action')}, ${mark} as mark, e.action, e.actor_email, e.actor_role,
      coalesce(e.detail ->> 'outcome', ''), m.seq, e.sentence::text
    from audit_devices m join audit_entries e on e.chain_id = m.chain_id and e.seq = m.seq
    where m.chain_id = ${device.organization_id}::uuid and m.device_id = ${device.id}::uuid
      and ${beyond(read, sql`m.at`, kindOf('action'), mark)}
    order by m.at desc, m.seq desc limit ${read.most})`;
}

function itemOf({ kind, mark, moment, at: exact, subject, label, state, reason, seq, extra }: Row): Item {
  const common = { id: `${kind} ${moment} ${mark}`, at: Math.floor(exact) };
  switch (kind) {
    case 'connection':
      return { ...common, kind, event: state as Extract<Item, { kind: 'connection' }>['event'], reason };
    case 'rollout':
      return { ...common, kind, file: subject as rollouts.RolloutKind, label, state, reason, group: extra };
    case 'action':
      return { ...common, kind, subject, sentence: sentenceOf(extra), email: label, role: state, outcome: reason, seq: seq ?? 0 };
    case 'alarm':
      return { ...common, kind, event: subject, state, reason };
    case 'sim':
      return { ...common, kind, label, state: state as Extract<Item, { kind: 'sim' }>['state'], reason };
    case 'geofence':
      return { ...common, kind, event: state as 'entered' | 'left', label };
    case 'alert': {
      const severity = extra as Extract<Item, { kind: 'alert' }>['severity'];
      const [alert = ''] = mark.split(' ');
      const known = state as Extract<Item, { kind: 'alert' }>['state'];
      const [latitude, longitude] = known === 'firing' && label !== '' ? label.split(' ').map(Number) : [];
      const place = latitude === undefined || longitude === undefined ? null : { latitude, longitude };
      return { ...common, kind, alert, label: subject, state: known, reason, by: place === null ? label : '', severity, place };
    }
    case 'remote':
      return {
        ...common,
        kind,
        type: subject as Remote['type'],
        state: state as Remote['state'],
        reason,
        by: label,
        ...(extra !== null && { client: extra }),
      };
  }
}

function formatAnchor(at: Anchor): string {
  return Buffer.from(JSON.stringify(at)).toString('base64url');
}

function parseAnchor(cursor: string): Anchor {
  try {
    return anchor.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')));
  } catch {
    throw invalidField('cursor', 'does not belong to this list');
  }
}

function sentenceOf(stored: string | null): Extract<Item, { kind: 'action' }>['sentence'] {
  return stored === null ? null : (JSON.parse(stored) as Extract<Item, { kind: 'action' }>['sentence']);
}

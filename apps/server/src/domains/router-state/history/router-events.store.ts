import { sql } from 'kysely';
import type { Tx } from '../../../platform/ports/database.ts';

/**
 * An event on a router's timeline: a step of a rollout, an alarm, a remote session, or the result for an eSIM profile. It belongs
 * to the router; organizations read it through the intervals in which they owned the router.
 */
export interface RouterEvent {
  readonly routerId: string;
  readonly kind: 'rollout' | 'alarm' | 'remote' | 'sim';
  /** 'firmware' or 'config'; of an alarm its name; of a remote session 'ssh' or 'gui'; 'esim'. */
  readonly subject: string;
  /** The file's name as it was bound; of a profile its name or number. */
  readonly label?: string;
  /**
   * A state of a rollout's target; of an alarm 'raised', 'cleared' or 'happened'; of a remote session 'opened', 'viewed' or 'ended'; of a
   * profile 'downloaded', 'in-use', 'failed' or 'deleted'.
   */
  readonly state: string;
  readonly reason?: string | null;
  readonly rolloutId?: string;
  readonly remoteSessionId?: string;
}

/**
 * Write events of routers, in the transaction in which they happen. A flapping alarm is written once a minute, so that a faulty
 * router does not fill the timeline.
 */
export async function recordRouterEvents(tx: Tx, events: readonly RouterEvent[], now: Date): Promise<void> {
  if (events.length === 0) return;
  const rows = withoutRepetitions(events).map(({ routerId, kind, subject, label = '', state, reason, ...of }) => ({
    router_id: routerId,
    kind,
    subject,
    label,
    state,
    reason: reason ?? '',
    rollout_id: of.rolloutId ?? null,
    remote_session_id: of.remoteSessionId ?? null,
  }));
  await sql`insert into router_events (router_id, at, kind, subject, label, state, reason, rollout_id, remote_session_id)
    select n.router_id, ${now}::timestamptz, n.kind, n.subject, n.label, n.state, n.reason, n.rollout_id, n.remote_session_id
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as n (router_id uuid, kind text, subject text, label text, state text, reason text, rollout_id uuid, remote_session_id uuid)
    where n.kind <> 'alarm' or not exists (
      select 1 from router_events v where v.router_id = n.router_id and v.at > ${now}::timestamptz - interval '1 minute'
        and v.kind = 'alarm' and v.subject = n.subject and v.state = n.state)`.execute(tx);
}

function withoutRepetitions(events: readonly RouterEvent[]): RouterEvent[] {
  const seen = new Set<string>();
  return events.filter(({ kind, routerId, subject, state }) => {
    if (kind !== 'alarm') return true;
    const key = `${routerId} ${subject} ${state}`;
    return !seen.has(key) && seen.add(key).size > 0;
  });
}

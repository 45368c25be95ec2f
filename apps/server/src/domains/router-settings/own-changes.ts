import type { Clock } from '../../platform/ports/index.ts';
import type { PlannedChange } from './compare.ts';

/** A value that a router reports by itself. */
export interface ReportedChange {
  readonly path: string;
  readonly value: string;
}

/** Values that were sent to routers just now. What a router then reports of them is no news: it is read after a change in any case. */
export interface OwnChanges {
  /** What is about to be sent. */
  note(routerId: string, changes: readonly PlannedChange[]): void;
  /** Whether a router reports what was sent to it. Another value ends that: from then on, each report of this router counts. */
  isOwn(routerId: string, change: ReportedChange): boolean;
}

/** Agents look for changes now and then. */
const KEPT_MS = 60_000;

/** Create them, without any. */
export function createOwnChanges({ clock }: { readonly clock: Clock }): OwnChanges {
  const sent = new Map<string, { readonly until: number; readonly values: ReadonlyMap<string, string> }>();
  const dropOld = (now: number) => {
    for (const [routerId, { until }] of sent) {
      // The oldest ones are first.
      if (until > now) return;
      sent.delete(routerId);
    }
  };
  return {
    note(routerId, changes) {
      const now = clock.now().getTime();
      dropOld(now);
      sent.delete(routerId);
      // A secret is not kept; it reads as nothing.
      const values = changes.flatMap((each): [string, string][] =>
        each.type === 'set' && !each.isSecret ? [[each.object + each.parameter, each.value]] : [],
      );
      if (values.length > 0) sent.set(routerId, { until: now + KEPT_MS, values: new Map(values) });
    },
    isOwn(routerId, { path, value }) {
      const known = sent.get(routerId);
      if (known === undefined || known.until <= clock.now().getTime()) return false;
      if (known.values.get(path) === value) return true;
      sent.delete(routerId);
      return false;
    },
  };
}

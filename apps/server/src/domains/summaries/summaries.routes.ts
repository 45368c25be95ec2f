import { summaries as calls } from '@highline/contract';
import { requireRight } from '../../kernel/index.ts';
import { announceFile } from '../../platform/calls/attachment.ts';
import type { Routes } from '../../platform/calls/call.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import { kinds } from './kinds.ts';
import { openSummary, previewOf, writeSummary } from './summary.file.ts';

export type SummaryRoutesDeps = Pick<Deps, 'reader' | 'streams' | 'clock'>;

/** Registers the calls of summaries (RPM-01, RPM-02). */
export function registerSummaryRoutes(routes: Routes, deps: SummaryRoutesDeps): void {
  routes.on(calls.previewSummary, async ({ scope, actor, query }) => {
    requireRight(actor, kinds[query.kind].right);
    return { result: await previewOf(await openSummary(deps, scope, query, deps.clock.now()), deps) };
  });
  routes.on(calls.summaryFile, async ({ scope, actor, query, reply }) => {
    requireRight(actor, kinds[query.kind].right);
    const summary = await openSummary(deps, scope, query, deps.clock.now());
    const { name, type, content } = writeSummary(summary, deps, query.format ?? 'pdf');
    announceFile(reply, name, type);
    return content;
  });
}

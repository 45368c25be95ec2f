import { bulkJobs as calls } from '@highline/contract';
import { required, type Scope } from '../../kernel/index.ts';
import type { Routes } from '../../platform/calls/call.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import { toJobDto } from './bulk-job.dto.ts';
import type { OwnJob } from './bulk-job.ts';
import { findJob, itemList, jobList } from './bulk-jobs.queries.ts';
import { cancelJob, previewJob, retryJob, startJob, undoJob, type BulkJobDeps } from './bulk-jobs.service.ts';

export type BulkJobRoutesDeps = BulkJobDeps & Pick<Deps, 'streams'>;

/** Registers the calls of bulk jobs (BLK-01). */
export function registerBulkJobRoutes(routes: Routes, deps: BulkJobRoutesDeps): void {
  const { reader } = deps;
  const getJob = async (scope: Scope, id: string): Promise<OwnJob> => required(await findJob(reader, scope, id), 'job.not_found');
  const respond = async (scope: Scope, id: string) => ({ result: toJobDto(await getJob(scope, id)) });

  routes.on(calls.listJobs, ({ scope, query }) => jobList.respond(deps, scope, query));
  routes.on(calls.getJob, ({ scope, params }) => respond(scope, params.job));
  routes.on(calls.listItems, async ({ scope, params, query }) =>
    itemList(await getJob(scope, params.job)).respond(deps, scope, query),
  );
  routes.on(calls.previewJob, async ({ scope, actor, body }) => ({ result: await previewJob(deps, scope, actor, body) }));
  routes.on(calls.startJob, async ({ scope, actor, body }) => respond(scope, await startJob(deps, scope, actor, body)));
  routes.on(calls.cancelJob, async ({ scope, actor, params }) => {
    await cancelJob(deps, scope, actor, params.job);
    return respond(scope, params.job);
  });
  routes.on(calls.retryJob, async ({ scope, actor, params }) => respond(scope, await retryJob(deps, scope, actor, params.job)));
  routes.on(calls.undoJob, async ({ scope, actor, params }) => respond(scope, await undoJob(deps, scope, actor, params.job)));
}

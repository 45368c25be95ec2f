import type { Deps } from '../../platform/ports/deps.ts';
import type { Module } from '../../platform/modules/module.ts';
import type { DeviceLink } from '../../platform/ports/index.ts';
import type { ToolCalls } from './tool-calls.ts';
import { endOverdueRuns, purgeTools } from './tools.job.ts';
import { registerToolRoutes, type ToolRoutesDeps } from './tools.routes.ts';
import { receiveEnd } from './tool-ends.ts';

interface ToolsModuleDeps extends Omit<ToolRoutesDeps, 'calls'>, Pick<Deps, 'database' | 'clock'> {
  readonly deviceLink: Pick<DeviceLink, 'listen'>;
  readonly toolCalls: ToolCalls;
}

export const toolsModule: Module<ToolsModuleDeps> = {
  open(routes, { toolCalls: calls, ...deps }) {
    registerToolRoutes(routes, { ...deps, calls });
    deps.deviceLink.listen({
      ready: () => undefined,
      completed: (routerId, key, failure, outputs) =>
        receiveEnd(deps, routerId, key, failure === undefined ? { type: 'done', outputs } : { type: 'failed', ...failure }),
      progressed: () => undefined,
    });
    return {
      jobs: [
        { name: 'tools: overdue', everyMs: 10_000, run: (now) => endOverdueRuns(deps.database, now) },
        { name: 'tools: retention', everyMs: 3_600_000, run: (now) => purgeTools(deps.database, now) },
      ],
    };
  },
  organizationEnd: { tables: ['tool_files', 'tool_targets', 'tool_runs'] },
};

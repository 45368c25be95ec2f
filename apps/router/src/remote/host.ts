import type { Log } from '../log.ts';
import type { RouterView } from '../model/definition.ts';
import type { Scheduler } from '../platform/scheduler.ts';
import type { ActivityLog } from './activity-log.ts';

/** Dependencies of remote access. */
export type RemoteHost = {
  router: RouterView;
  scheduler: Scheduler;
  log: Log;
  activityLog: ActivityLog;
  /** Private SSH host key, in OpenSSH's format. */
  hostKey(): string;
  /** Address the router calls home to, with its secret; undefined: it does not connect. */
  home(): string | undefined;
  /** Set a parameter like a controller. @returns what is wrong with it, undefined when it is set */
  set(objPath: string, param: string, value: string): string | undefined;
  /** Restart the router shortly. */
  restart(): void;
};

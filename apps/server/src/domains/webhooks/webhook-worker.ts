import { createSharedRun, guard, type Sealing } from '../../kernel/index.ts';
import type { Job } from '../../platform/jobs/runner.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import type { WebCaller } from '../../platform/ports/web-caller.ts';
import { callEndpoint, isKeyRejected } from './call.ts';
import { CallQueue, LEASED_OF_ONE } from './call-queue.ts';
import { recordCalls, type RecordDeps } from './outcomes.ts';
import { keepOpened } from './secret.ts';
import type { ServerPushKey } from './web-push.ts';
import { leaseDue, releaseLeased, type LeasedDelivery, type Outcome } from './webhook-delivery.job.queries.ts';

export interface WorkerDeps extends RecordDeps, Pick<Deps, 'log'> {
  readonly caller: WebCaller;
  readonly sealing: Sealing;
  readonly pushKey: ServerPushKey;
}

/** Sends events to the endpoints of all organizations. */
export interface WebhookWorker {
  readonly job: Job;
  /** Something may be due. */
  wake(): void;
  /** Calls since the start, by what became of their events. */
  stats(): CallCounts;
  /** Resolves when the responses that came are recorded; what was not sent, or not answered, is due for others. */
  stop(): Promise<void>;
}

export interface CallCounts {
  readonly delivered: number;
  readonly again: number;
  readonly failed: number;
}

const EVERY_MS = 1_000;
const LEASED = 2_048;
/** Fewer wait for a place here: lease more. */
const FEW = 1_024;
/** Outcomes are recorded together after this time, or when there are so many. */
const RECORD_AFTER_MS = 15;
const RECORDED_TOGETHER = 256;

/** Create the worker of webhooks; it is idle until its job runs or `wake` is called. */
export function createWebhookWorker(deps: WorkerDeps): WebhookWorker {
  const { database, clock, log } = deps;
  const callDeps = { ...deps, sealing: keepOpened(deps.sealing) };
  const queue = new CallQueue();
  const calls = new Set<Promise<void>>();
  const unsent: LeasedDelivery[] = [];
  const stopping = new AbortController();
  const isStopped = () => stopping.signal.aborted;
  const counts = { delivered: 0, again: 0, failed: 0 };
  let isDue = false;

  const lease = createSharedRun(async () => {
    while (isDue && !isStopped() && queue.waiting < FEW) {
      const limits = { perEndpoint: LEASED_OF_ONE, taken: queue.taken() };
      isDue = false;
      const { leased, isMore } = await leaseDue(database, limits, LEASED - queue.waiting, clock.now());
      isDue ||= isMore;
      queue.add(leased, performance.now());
      callMore();
    }
  });
  const wake = () => {
    isDue = true;
    lease().catch((error: unknown) => log.warn({ err: error }, 'Failed to lease events for webhooks; they are retried.'));
  };

  const callMore = (): void => {
    if (isStopped()) return;
    const { fresh, stale } = queue.begin(performance.now());
    if (stale.length > 0) giveBack(stale).catch(() => {});
    for (const delivery of fresh) {
      const call = callOnce(delivery);
      calls.add(call);
      void call.then(() => calls.delete(call));
    }
  };
  const callOnce = async (delivery: LeasedDelivery): Promise<void> => {
    try {
      const outcome = await callEndpoint(callDeps, delivery);
      // Broken off by the stop of this process.
      if (isStopped() && outcome.attempt.status === null) unsent.push(delivery);
      else {
        counts[outcome.attempt.error === '' ? 'delivered' : outcome.nextAt === null ? 'failed' : 'again']++;
        recorder.add(outcome);
        if (isKeyRejected(delivery, outcome.attempt))
          log.warn(
            { browser: delivery.endpoint_id, service: new URL(delivery.url).host, status: outcome.attempt.status },
            'A push service rejected the key of this server. The browser gets no messages until its person opens the console there.',
          );
      }
    } catch (error) {
      log.error({ err: error, webhook: delivery.endpoint_id }, 'Failed to send an event; it is due again when its lease ends.');
    }
    queue.end(delivery);
    callMore();
    if (isDue && queue.waiting < FEW) wake();
  };
  const giveBack = async (leased: readonly LeasedDelivery[]): Promise<void> => {
    try {
      await releaseLeased(database, leased, clock.now());
    } catch (error) {
      log.warn({ err: error }, 'Failed to return events of webhooks; they are due when their leases end.');
    }
  };
  const recorder = createRecorder(deps, wake);

  return {
    job: {
      name: 'webhooks',
      everyMs: EVERY_MS,
      run() {
        isDue = true;
        return lease();
      },
    },
    wake,
    stats: () => ({ ...counts }),
    async stop() {
      stopping.abort();
      await lease().catch(() => {});
      await deps.caller.close();
      await Promise.all(calls);
      await recorder.flush();
      await giveBack([...unsent, ...queue.drain()]);
    },
  };
}

/** Records outcomes together. @param onEnded an event of a device is over, so its next one may be due */
function createRecorder(deps: WorkerDeps, onEnded: () => void) {
  const outcomes: Outcome[] = [];
  let timer: NodeJS.Timeout | undefined;
  const flush = createSharedRun(async () => {
    while (outcomes.length > 0) {
      const batch = outcomes.splice(0, RECORDED_TOGETHER);
      try {
        await recordCalls(deps, batch);
        if (batch.some(({ delivery, nextAt }) => delivery.device_id !== null && nextAt === null)) onEnded();
      } catch (error) {
        // Their leases end, and they are sent again with the same webhook-id.
        deps.log.warn({ err: error, events: batch.length }, 'Failed to record calls of webhooks; they will be repeated.');
      }
    }
  });
  const onTimer = guard(
    deps.log,
    () => {},
    () => {
      timer = undefined;
      return flush();
    },
  );
  return {
    flush,
    add(outcome: Outcome): void {
      outcomes.push(outcome);
      if (outcomes.length >= RECORDED_TOGETHER) void flush();
      else timer ??= setTimeout(onTimer, RECORD_AFTER_MS);
    },
  };
}

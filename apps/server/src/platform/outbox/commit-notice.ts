import { z } from 'zod';
import { guard } from '../../kernel/guard.ts';
import type { Log } from '../ports/log.ts';
import type { NodeChannel } from '../node-rpc/index.ts';
import type { Dispatcher } from './dispatcher.ts';

const SUBJECT = 'commits';
/** Least time between two notices of one process: a notice is about everything committed before it. */
const SPACING_MS = 50;

/**
 * Have the other processes read the outbox as soon as this one has committed something, and this one as soon as they have. A notice
 * that is lost is made up for by the interval at which each process reads.
 * @returns to be called after each commit
 */
export function exchangeCommitNotices(channel: NodeChannel, dispatcher: Pick<Dispatcher, 'wake'>, log: Log): () => void {
  let timer: NodeJS.Timeout | undefined;
  let isDue = false;
  // A commit stands, whatever becomes of its notice.
  const guarded = (work: () => void) => guard(log, () => {}, work);
  const send = guarded(() => {
    isDue = false;
    timer = setTimeout(
      guarded(() => {
        timer = undefined;
        if (isDue) send();
      }),
      SPACING_MS,
    );
    timer.unref();
    channel.publish(SUBJECT, {});
  });
  const wake = () => dispatcher.wake();
  channel.subscribe(SUBJECT, z.object({}), wake);
  channel.onConnected(wake);
  return () => {
    if (timer === undefined) send();
    else isDue = true;
  };
}

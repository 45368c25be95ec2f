import type { notifications } from '@highline/contract';
import type { z } from 'zod';
import type { Deps } from '../../platform/ports/deps.ts';
import { isStatusOfRecipient } from '../../platform/ports/mail.ts';
import type { BounceTokens } from './bounce-tokens.ts';
import { markBounced } from './bounces.job.queries.ts';
import type { MailOutcomes } from './mail-delivery.store.ts';
import { announceUndelivered } from './undelivered.job.queries.ts';

export interface BounceDeps extends Pick<Deps, 'database' | 'clock' | 'log'> {
  readonly bounceTokens: BounceTokens;
  readonly mailOutcomes: MailOutcomes;
}

type Bounce = z.output<typeof notifications.noteBounce.body>;

const LONGEST_REASON = 500;

/**
 * Store that a mail has come back. The address that it was returned to is all that allows it: who knows it can send a notification there as well.
 * @returns `ignored` for an address that is none of ours, and for a mail that has come back before or is no longer stored
 */
export async function noteBounce(
  { database, clock, log, bounceTokens, mailOutcomes }: BounceDeps,
  { address, status, reason: text }: Bounce,
): Promise<'noted' | 'ignored'> {
  const id = bounceTokens.mailOf(address);
  if (id === undefined) return 'ignored';
  const now = clock.now();
  const reason =
    text
      .replaceAll(/\p{C}+/gu, ' ')
      .trim()
      .slice(0, LONGEST_REASON) || status;
  return database.write(async (tx) => {
    const mail = await markBounced(tx, id, reason, now);
    if (mail === undefined) return 'ignored';
    log.warn({ mail: id, status, reason }, 'A mail was returned.');
    if (mail.organization_id !== null) await announceUndelivered(tx, mail.organization_id);
    if (isStatusOfRecipient(status)) await mailOutcomes.rejected(tx, mail, reason, now, mail.sent_at ?? now);
    return 'noted';
  });
}

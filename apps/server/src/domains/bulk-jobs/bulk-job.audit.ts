import { americanDay, type Scope } from '../../kernel/index.ts';
import type { Tx } from '../../platform/ports/database.ts';
import { partOf } from '../commands/index.ts';
import { type AuditAction, type AuditActor, recordAudit, sentence, type SentencePart, serverActor } from '../logs/index.ts';
import { scopeOf, type OwnJob, type StoredAction } from './bulk-job.ts';

/** Write the log entry of a job that was started, or cancelled. */
export function recordJob(
  tx: Tx,
  scope: Scope,
  actor: AuditActor,
  job: OwnJob,
  action: AuditAction,
  now: Date,
  more: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const chain = job.organization_id ?? scope.mainAccountId;
  const { total, action: what } = job;
  const detail = { ...what, ...(job.selection === null ? { devices: total } : { selection: job.selection }), ...more };
  return recordAudit(tx, chain, actor, { action, subject: { kind: 'job', id: job.id }, detail }, now);
}

/** Write that a job was cancelled because its author may not act any more; no person does that, so no one would see it otherwise. */
export function recordNotAllowed(tx: Tx, job: OwnJob, now: Date): Promise<void> {
  const { email, key } = job.actor;
  const by = { by: email, ...(key !== undefined && { key: key.label }) };
  return recordJob(tx, scopeOf(job), serverActor, job, sentence('job.not_allowed', sentenceOf(job.action)), now, by);
}

/** The action in a log entry: 'move devices to group North'. */
export function sentenceOf(action: StoredAction): SentencePart {
  switch (action.kind) {
    case 'move':
      return sentence('part.move_devices', action.name);
    case 'subscription':
      return sentence('part.set_subscriptions', americanDay(action.startedOn), americanDay(action.expiresOn));
    case 'tags':
      return sentence('part.change_tags');
    case 'command':
      return sentence('part.run_command', action.name);
    case 'send':
      return sentence('part.send_command', partOf(action.order));
    case 'delete':
      return sentence('part.delete_devices');
    case 'remove':
      return sentence(`part.delete_${action.list}`);
  }
}

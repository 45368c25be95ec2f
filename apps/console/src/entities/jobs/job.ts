import type { TFunction } from 'i18next';
import { formatDay, formatNumber } from '../../ui/time/format.ts';
import type { Job, JobItem } from './bulk-jobs.api.ts';

/** A number of devices as text: '12 devices'. */
export function devicesText(t: TFunction, count: number): string {
  return t('bulkJobs.devices', { count, shown: formatNumber(count) });
}

/** What a job does, as one sentence. */
export function jobSentence(t: TFunction, job: Job): string {
  const { started, expired, kind, list, total, send } = job;
  const name = job.name ?? (send === null ? null : t(`bulkJobs.send.${send}`));
  if (kind === 'remove') return t(`bulkJobs.remove.${list ?? 'groups'}`, { count: total, shown: formatNumber(total) });
  const sentence = t(`bulkJobs.sentence.${kind}`, {
    devices: devicesText(t, job.total),
    name,
    started: formatDay(started ?? ''),
    expired: formatDay(expired ?? ''),
  });
  return job.undo ? t('bulkJobs.sentence.undo', { sentence }) : sentence;
}

/** Devices that have a result. */
export function finishedOf({ done, failed, skipped }: Job): number {
  return done + failed + skipped;
}

/** The numbers of a job that are not zero: '10 done · 2 failed'. */
export function resultText(t: TFunction, job: Job): string {
  const waiting = job.ended === null ? 0 : job.total - finishedOf(job);
  const counts = { done: job.done, failed: job.failed, skipped: job.skipped, waiting };
  const names = ['done', 'failed', 'skipped', 'waiting'] as const;
  const parts = names.filter((name) => counts[name] > 0 || (name === 'done' && job.ended !== null));
  return parts.map((name) => t(`bulkJobs.result.${name}`, { shown: formatNumber(counts[name]) })).join(' · ');
}

/** Why a device was skipped or failed; empty if it has no reason. */
export function reasonText(t: TFunction, { reason, message, row }: Pick<JobItem, 'reason' | 'message' | 'row'>): string {
  if (reason === null) return '';
  const key = reason.replaceAll('.', '_') as 'unchanged';
  const text = t(`bulkJobs.reason.${key}`);
  if (message === null || message === '') return text;
  return row === null ? t('bulkJobs.router', { reason: text, message }) : t('ui.detail', { name: text, detail: message });
}

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from '#i18n';
import { saveFile } from '../../api/download.ts';
import { useAction } from '../../api/useAction.ts';
import { useErrorText } from '../../api/useErrorText.ts';
import { groupQuery } from '../../entities/groups/group.api.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { confirmAction } from '../../ui/dialogs.ts';
import { ErrorState } from '../../ui/states.tsx';
import { toast } from '../../ui/toasts.ts';
import { DateTime } from '../../ui/time/RelativeTime.tsx';
import { deleteSummary, fetchSentFile, resumeRecipient, savedQuery, sendSummary, type SavedSummary } from './summaries.api.ts';
import type { SummaryChoice } from './SummaryChoices.tsx';
import { SummaryForm } from './SummaryForm.tsx';

const reasons = ['author', 'too_large', 'interrupted', 'no_recipient', 'skipped'] as const;

function Saved({ summary, onEdit }: { readonly summary: SavedSummary; readonly onEdit: () => void }): ReactNode {
  const { t } = useTranslation();
  const { name, kind, format, nextAt, lastRun, recipients, unconfirmed, paused, sumBy, carrier, tag, group, sentFiles } = summary;
  const open = useAction<string, Blob>({
    run: (at) => fetchSentFile(summary, at),
    onDone: (file, at) => saveFile(file, `${kind}_${at.slice(0, 10)}.${format}`),
  });
  const groupName = useQuery({ ...groupQuery(group ?? '', summary.org ?? undefined), enabled: group !== null });
  const limits = [
    ...(sumBy === null ? [] : [t(`summaries.sumBy.${sumBy}`)]),
    ...(group === null ? [] : [t('ui.detail', { name: t('summaries.group'), detail: groupName.data?.group.groupName ?? group })]),
    ...(carrier === null ? [] : [t('ui.detail', { name: t('summaries.carrier'), detail: carrier })]),
    ...(tag === null ? [] : [t('ui.detail', { name: t('summaries.tag'), detail: tag })]),
  ];
  const client = useQueryClient();
  const finish = (text: string) => {
    toast(text);
    void client.invalidateQueries({ queryKey: ['summaries'] });
  };
  const send = useAction<void, unknown>({ run: () => sendSummary(summary), onDone: () => finish(t('summaries.sending')) });
  const remove = useAction<void, unknown>({ run: () => deleteSummary(summary), onDone: () => finish(t('summaries.deleted')) });
  const resume = useAction<string, unknown>({
    run: (mail) => resumeRecipient(summary, mail),
    onDone: (_, mail) => finish(t('summaries.resumed', { mail })),
  });
  const deleteIt = async () => {
    const question = {
      title: t('summaries.question', { name }),
      text: t('summaries.questionMeans'),
      yes: t('summaries.delete'),
      no: t('ui.cancel'),
      effect: 'permanent',
    } as const;
    if (await confirmAction(question)) remove.run();
  };
  const known = reasons.find((each) => each === lastRun?.reason) ?? 'other';
  const reason = known === 'too_large' && format === 'csv' ? 'too_large_csv' : known;
  return (
    <li className="summary-saved">
      <div>
        <p>
          <strong>{name}</strong> · {t(`summaries.kind.${kind}`)} · {t(`summaries.file.${format}`)}
        </p>
        <p className="dim">
          {nextAt === null ? (
            t('summaries.never')
          ) : (
            <>
              {t('summaries.next')} <DateTime moment={nextAt} />
            </>
          )}
          {' · '}
          {t('summaries.to', { mails: recipients.length === 0 ? '--' : recipients.join(t('ui.between')) })}
        </p>
        {limits.length > 0 && <p className="dim">{limits.join(' · ')}</p>}
        {unconfirmed.length > 0 && (
          <p className="dim">{t('summaries.unconfirmed', { mails: unconfirmed.join(t('ui.between')) })}</p>
        )}
        {paused.map((mail) => (
          <p key={mail} className="bad">
            {t('summaries.paused', { mail })}{' '}
            <Button size="xs" loading={resume.busy} onClick={() => resume.run(mail)}>
              {t('summaries.resume')}
            </Button>
          </p>
        ))}
        {lastRun !== null && (
          <p className={lastRun.state === 'failed' ? 'bad' : 'dim'}>
            {t('summaries.last')} <DateTime moment={lastRun.at} /> ·{' '}
            {lastRun.state === 'failed'
              ? t('ui.detail', { name: t('summaries.state.failed'), detail: t(`summaries.reason.${reason}`) })
              : t(`summaries.state.${lastRun.state}`)}
          </p>
        )}
        {sentFiles.length > 0 && (
          <p>
            {t('summaries.sentFiles')}{' '}
            {sentFiles.map((at) => (
              <Button key={at} size="xs" loading={open.busy} onClick={() => open.run(at)}>
                <DateTime moment={at} />
              </Button>
            ))}
          </p>
        )}
      </div>
      <div className="summary-actions">
        <Button onClick={() => send.run()} loading={send.busy}>
          {t('summaries.sendNow')}
        </Button>
        <Button onClick={onEdit}>{t('summaries.edit')}</Button>
        <Button onClick={() => void deleteIt()} loading={remove.busy}>
          {t('summaries.delete')}
        </Button>
      </div>
    </li>
  );
}

/** The names of those that were not sent, at the head of the page: of a main account there is no alert. */
export function NotSent(): ReactNode {
  const { t } = useTranslation();
  const { data = [] } = useQuery(savedQuery);
  const names = data.filter(({ lastRun }) => lastRun?.state === 'failed').map(({ name }) => name);
  if (names.length === 0) return null;
  return (
    <p className="bad" role="status">
      {t('summaries.notSent', { count: names.length, names: names.join(t('ui.between')) })}{' '}
      <a href="#summaries-saved">{t('summaries.why')}</a>
    </p>
  );
}

/** Summaries that are sent by mail, and their schedules (RPM-03). */
export function SavedSummaries({ choice }: { readonly choice: SummaryChoice }): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const saved = useQuery(savedQuery);
  const [edited, setEdited] = useState<SavedSummary | 'new'>();
  return (
    <section className="card panel" aria-labelledby="summaries-saved" aria-busy={saved.isPending}>
      <div className="summary-saved">
        <div>
          <h2 id="summaries-saved">{t('summaries.saved')}</h2>
          <p className="dim">{t('summaries.savedHint')}</p>
        </div>
        <Button variant="filled" onClick={() => setEdited('new')}>
          {t('summaries.add')}
        </Button>
      </div>
      {saved.error !== null && saved.data === undefined && (
        <ErrorState text={errorText(saved.error)} onRetry={() => void saved.refetch()} />
      )}
      {saved.data?.length === 0 && <p className="dim">{t('summaries.none')}</p>}
      <ul className="summary-list">
        {(saved.data ?? []).map((summary) => (
          <Saved key={summary.id} summary={summary} onEdit={() => setEdited(summary)} />
        ))}
      </ul>
      {edited !== undefined && (
        <SummaryForm choice={choice} {...(edited !== 'new' && { summary: edited })} onClose={() => setEdited(undefined)} />
      )}
    </section>
  );
}

import { Button } from '../../ui/controls/Button.tsx';
import { Link, type LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { type Session, useSession } from '../../api/session.ts';
import { findGroupPage } from '../../entities/groups/GroupLink.tsx';
import { Copyable } from '../../ui/CopyButton.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { useLanguage } from '../../ui/language.ts';
import { formatDateTime, formatNumber } from '../../ui/time/format.ts';
import { DateTime } from '../../ui/time/RelativeTime.tsx';
import { useZone } from '../../ui/time/zone.ts';
import { contentOf, textOf } from './entry.ts';
import type { LogEntry } from './logs.api.ts';
import { useActionText } from './sentence.ts';

type Opened = 'device' | 'group' | 'account' | 'organization' | 'router' | 'job';

type Target = Pick<LinkProps, 'to' | 'search'>;

/** Where someone can open the thing that an entry is about; it may be gone by now, which its page says. */
function targetOf({ kind, id }: LogEntry['about'], session: Session): readonly [Opened, Target] | undefined {
  const { role } = session;
  if (kind === 'device') return [kind, { to: '/devices/setting', search: { device: id } }];
  if (kind === 'group') {
    const page = findGroupPage(session, id);
    return page && [kind, page];
  }
  if (kind === 'account' && role === 'admin') return [kind, { to: '/users/detail', search: { user: id } }];
  if (kind === 'organization' && role === 'main')
    return [kind, { to: '/organization/setting', search: { org: id, tab: 'overview' } }];
  if (kind === 'router' && role === 'main') return [kind, { to: '/inventory/router', search: { router: id } }];
  if (kind === 'job' && role !== 'user') return [kind, { to: '/jobs/detail', search: { job: id } }];
  return undefined;
}

const roles = ['main', 'admin', 'user', 'system'] as const;

/** Who did it, in which role, from where. */
function By({ entry: { email, role, ip, key, with: others } }: { entry: LogEntry }): ReactNode {
  const { t } = useTranslation();
  const known = roles.find((each) => each === role);
  const texts = { email, role: known === undefined ? role : t(`logs.roles.${known}`), ip: ip === '' ? '–' : ip };
  const by = key === null ? t('logs.by', texts) : t('logs.withKey', { ...texts, key });
  return [by, ...others.map((other) => t(`logs.with.${other.as}`, { email: other.email }))].join(' · ');
}

/** One entry: its sentence, who, what changed, a way to the thing, and what proves it (LOG-01). */
export function EntryDialog({ entry, onClose }: { entry: LogEntry; onClose: () => void }): ReactNode {
  const { t } = useTranslation();
  const session = useSession();
  const zone = useZone();
  const action = useActionText();
  const language = useLanguage();
  const { changes, rest } = contentOf(entry.detail, language);
  const texts = {
    language,
    yes: t('logs.yes'),
    no: t('logs.no'),
    none: t('logs.none'),
    time: (seconds: number) => formatDateTime(seconds, zone),
  };
  const target = targetOf(entry.about, session);
  return (
    <Dialog
      title={t('logs.whole')}
      role="alertdialog"
      onClose={onClose}
      actions={
        <Button variant="filled" autoFocus onClick={onClose}>
          {t('ui.dialog.ok')}
        </Button>
      }
    >
      <div className="log-entry">
        <p className="strong">{action(entry)}</p>
        <p className="dim">
          <DateTime moment={entry.timestamp} /> · <By entry={entry} />
        </p>
        {changes.length > 0 && (
          <table className="log-entry__changes">
            <caption className="unseen">{t('logs.changes')}</caption>
            <thead>
              <tr>
                <th scope="col">{t('logs.changed.name')}</th>
                <th scope="col">{t('logs.changed.before')}</th>
                <th scope="col">{t('logs.changed.after')}</th>
              </tr>
            </thead>
            <tbody>
              {changes.map(({ name, before, after }) => (
                <tr key={name}>
                  <th scope="row">{name}</th>
                  <td>{textOf(before, texts)}</td>
                  <td>{textOf(after, texts)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
        {rest.length > 0 && (
          <dl className="log-entry__rest" aria-label={t('logs.details')}>
            {rest.map(([name, value]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{textOf(value, texts)}</dd>
              </div>
            ))}
          </dl>
        )}
        {target !== undefined && (
          <p>
            <Link {...target[1]} onClick={onClose}>
              {t(`logs.open.${target[0]}`)}
            </Link>
          </p>
        )}
        <details>
          <summary>{t('logs.proof')}</summary>
          <p>{t('logs.proofHint', { seq: formatNumber(entry.seq) })}</p>
          <p>
            {t('logs.hash')}:{' '}
            <Copyable text={entry.hash} label={t('logs.hash')} shown>
              <span className="mono log-entry__hash">{entry.hash}</span>
            </Copyable>
          </p>
          {action(entry) !== entry.subject && <p lang="en">{entry.subject}</p>}
          <p>{t('logs.stored')}</p>
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region must be reachable by keyboard */}
          <pre className="log-entry__stored" tabIndex={0}>
            {JSON.stringify(entry.detail, null, 1)}
          </pre>
        </details>
      </div>
    </Dialog>
  );
}

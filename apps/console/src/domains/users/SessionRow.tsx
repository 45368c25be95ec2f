import { Button } from '../../ui/controls/Button.tsx';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { NOT_REPORTED } from '../../ui/time/format.ts';
import { RelativeTime } from '../../ui/time/RelativeTime.tsx';
import { browserName } from './browser-name.ts';
import type { OwnSession } from './users.api.ts';
import './users.css';

/** One session, with the way to end it. */
export function SessionRow({ session, onEnd }: { session: OwnSession; onEnd: () => void }): ReactNode {
  const { t } = useTranslation();
  return (
    <li className="own-session">
      <div>
        <div className="own-session__agent" title={session.userAgent}>
          {session.userAgent === '' ? NOT_REPORTED : browserName(session.userAgent)}
        </div>
        <div className="dim">
          {session.address} · {t('users.profile.lastUsed')} <RelativeTime moment={session.lastUsed} />
        </div>
        <div className="dim">
          {t('users.profile.signedIn')} <RelativeTime moment={session.created} />
          {session.method !== null && ` · ${t(`users.profile.method.${session.method}`)}`}
        </div>
      </div>
      {session.current ? (
        <span className="own-session__end dim">{t('users.profile.current')}</span>
      ) : (
        <Button className="own-session__end" onClick={onEnd}>
          {t('users.profile.end')}
        </Button>
      )}
    </li>
  );
}

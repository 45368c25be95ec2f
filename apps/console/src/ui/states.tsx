import { Button } from './controls/Button.tsx';
import { IconInbox, IconPlugConnectedX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import './states.css';

interface StateProps {
  readonly icon: ReactNode;
  readonly text: string;
  readonly detail?: ReactNode;
  readonly action?: ReactNode;
  readonly role?: 'alert';
}

function State({ icon, text, detail, action, role }: StateProps): ReactNode {
  return (
    <div className="state" role={role}>
      {icon}
      <p className="state__text">{text}</p>
      {detail !== undefined && <div className="dim">{detail}</div>}
      {action}
    </div>
  );
}

/** An empty list: the message, and an action if there is one. */
export function EmptyState({ text, detail, action }: { text: string; detail?: ReactNode; action?: ReactNode }): ReactNode {
  return <State icon={<IconInbox size={28} stroke={1.4} />} text={text} detail={detail} action={action} />;
}

/** A failed load: the message, and a retry button. */
export function ErrorState({ text, onRetry }: { text: string; onRetry?: () => void }): ReactNode {
  const { t } = useTranslation();
  return (
    <State
      role="alert"
      icon={<IconPlugConnectedX size={28} stroke={1.4} />}
      text={text}
      action={onRetry !== undefined && <Button onClick={onRetry}>{t('ui.retry')}</Button>}
    />
  );
}

import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { useAction } from '../../api/useAction.ts';
import { useRoleFor, useSession } from '../../api/session.ts';
import { cancelCommand, sentCommandsQuery, type SentCommand } from '../../entities/commands/sent.api.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { StatusDot } from '../../ui/StatusDot.tsx';
import { DateTime, RelativeTime } from '../../ui/time/RelativeTime.tsx';
import { toast } from '../../ui/toasts.ts';
import { reasonOf, titleOf, toneOf } from './sent-texts.ts';
import './commands.css';

/** How long the end of a command stays at the head of the page. */
const SHOWN_MS = 10 * 60_000;

const isShown = ({ ended }: SentCommand): boolean => ended === null || Date.now() - Date.parse(ended) < SHOWN_MS;

/** Commands of a device that wait, are on their way, or ended just now (LIV-01, LIV-09); nothing where there are none. */
export function OpenCommands({ device }: { device: string }): ReactNode {
  const { t } = useTranslation();
  const isMain = useSession().role === 'main';
  const { data = [] } = useQuery({ ...sentCommandsQuery(device), enabled: !isMain });
  const shown = data.filter((command) => isShown(command));
  if (shown.length === 0) return null;
  return (
    <section className="card panel" aria-labelledby="open-commands">
      <div className="commands__head">
        <h2 id="open-commands">{t('commands.sent.title')}</h2>
        <Link to="/commands/sent" search={{ device }}>
          {t('commands.sent.all')}
        </Link>
      </div>
      <ul className="commands" aria-live="polite">
        {shown.map((command) => (
          <Line key={command.id} command={command} />
        ))}
      </ul>
    </section>
  );
}

function Line({ command }: { command: SentCommand }): ReactNode {
  const { t } = useTranslation();
  const mayCancel = useRoleFor('commands') === 'admin' && command.state === 'waiting';
  const cancel = useAction<void, void>({
    run: () => cancelCommand(command.id),
    onDone: () => toast(t('commands.toast.cancelled')),
  });
  const reason = reasonOf(t, command);
  const name = titleOf(t, command);
  return (
    <li className="command">
      <div className="command__what">
        <span className="command__name">{name}</span>
        <span className="dim">
          {command.state === 'waiting' ? (
            <>
              {t('commands.sent.until')} <DateTime moment={command.expires} />
            </>
          ) : (
            <RelativeTime moment={command.ended ?? command.sent} />
          )}{' '}
          · {command.by}
        </span>
      </div>
      <div className="command__actions">
        <StatusDot tone={toneOf(command)}>
          {t(`commands.state.${command.state}`)}
          {reason !== '' && ` · ${reason}`}
        </StatusDot>
        {mayCancel && (
          <Button loading={cancel.busy} aria-label={t('commands.sent.cancelOf', { name })} onClick={() => cancel.run()}>
            {t('ui.cancel')}
          </Button>
        )}
      </div>
    </li>
  );
}

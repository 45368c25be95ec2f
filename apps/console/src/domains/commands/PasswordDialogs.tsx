import { type ReactNode, useState } from 'react';
import { useTranslation } from '#i18n';
import { ApiError } from '../../api/errors.ts';
import { useAction } from '../../api/useAction.ts';
import { useConfirmation } from '../../api/useConfirmation.ts';
import { USUAL_WAIT_HOURS, WaitSelect } from '../../entities/commands/WaitSelect.tsx';
import { Button } from '../../ui/controls/Button.tsx';
import { TextInput } from '../../ui/controls/TextInput.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import type { ActionTarget } from './WaitDialog.tsx';
import { type MadePassword, setPassword, showPasswords, type ShownPasswords } from './passwords.api.ts';
import { ShownDialog } from './ShownPasswords.tsx';

const USERNAME = /^[A-Za-z0-9._@-]{1,64}$/u;
const TYPED = /^[!-~]{8,64}$/u;

interface SetDialogProps {
  readonly target: ActionTarget;
  readonly username: string;
  readonly onClose: () => void;
  readonly onDone: (made: MadePassword) => void;
}

/** A user of the router, and a random password or one that is typed. */
export function SetDialog({ target, username, onClose, onDone }: SetDialogProps): ReactNode {
  const { t } = useTranslation();
  const [user, setUser] = useState(username);
  const [typed, setTyped] = useState('');
  const [hours, setHours] = useState(USUAL_WAIT_HOURS);
  const [isChecked, setChecked] = useState(false);
  const save = useAction<void, MadePassword>({
    run: () =>
      setPassword({
        device: target.device,
        username: user.trim(),
        ...(typed === '' ? {} : { password: typed }),
        ...(target.isOnline ? {} : { wait: hours }),
      }),
    onDone,
  });
  const wrong = {
    user: USERNAME.test(user.trim()) ? undefined : t('commands.password.usernameRule'),
    typed: typed === '' || TYPED.test(typed) ? undefined : t('commands.password.typedRule'),
  };
  const submit = () => {
    setChecked(true);
    if (wrong.user === undefined && wrong.typed === undefined) save.run();
  };
  return (
    <FormDialog
      title={t('commands.password.setTitle', { device: target.name })}
      submit={t(target.isOnline ? 'commands.password.set' : 'commands.wait.submit')}
      busy={save.busy}
      onClose={onClose}
      onSubmit={submit}
    >
      <TextInput
        label={t('commands.password.username')}
        description={t('commands.password.usernameHint')}
        maxLength={64}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={user}
        error={isChecked ? wrong.user : undefined}
        onChange={(event) => setUser(event.currentTarget.value)}
      />
      <TextInput
        label={t('commands.password.typed')}
        description={t('commands.password.typedHint')}
        maxLength={64}
        autoComplete="new-password"
        autoCapitalize="none"
        spellCheck={false}
        value={typed}
        error={isChecked ? wrong.typed : undefined}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      {!target.isOnline && (
        <>
          <p>{t('commands.wait.text', { device: target.name })}</p>
          <WaitSelect hours={hours} onChange={(chosen) => setHours(chosen ?? USUAL_WAIT_HOURS)} />
        </>
      )}
    </FormDialog>
  );
}

/** The passwords that a router may have, after the own password was typed. */
export function ShowDialog({ target, onClose }: { target: ActionTarget; onClose: () => void }): ReactNode {
  const { t } = useTranslation();
  const [own, setOwn] = useState('');
  const { isPossible, isConfirmed, begin } = useConfirmation();
  const [isWrong, setWrong] = useState(false);
  const [shown, setShown] = useState<ShownPasswords>();
  const show = useAction<void, ShownPasswords>({
    run: () => showPasswords(target.device, own),
    onDone: setShown,
    onError: (error) => {
      const isOwn = error instanceof ApiError && (error.key === 'account.wrong_password' || error.key === 'password.own_needed');
      setWrong(isOwn);
      return isOwn;
    },
  });
  const title = t('commands.password.showTitle', { device: target.name });
  if (shown !== undefined) return <ShownDialog title={title} shown={shown} onClose={onClose} />;
  return (
    <FormDialog
      title={title}
      submit={t('commands.password.show')}
      busy={show.busy}
      dirty={false}
      disabledReason={own === '' && !isConfirmed ? t('commands.password.ownFirst') : undefined}
      onClose={onClose}
      onSubmit={() => show.run()}
    >
      <p>{t('commands.password.showText')}</p>
      {isConfirmed ? (
        <p className="note">{t('commands.password.confirmed')}</p>
      ) : (
        <TextInput
          name="password"
          type="password"
          label={t('commands.password.own')}
          autoComplete="current-password"
          value={own}
          error={isWrong ? t('commands.password.ownWrong') : undefined}
          onChange={(event) => {
            setWrong(false);
            setOwn(event.currentTarget.value);
          }}
        />
      )}
      {isPossible && !isConfirmed && (
        <div>
          <Button loading={begin.busy} onClick={() => begin.run()}>
            {t('commands.password.confirm')}
          </Button>
        </div>
      )}
    </FormDialog>
  );
}

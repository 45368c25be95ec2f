import { Button } from '../../../ui/controls/Button.tsx';
import { IconDownload } from '@tabler/icons-react';
import { type FormEvent, type ReactNode, useContext, useState } from 'react';
import { useTranslation } from '#i18n';
import { saveFile } from '../../../api/download.ts';
import { useAction } from '../../../api/useAction.ts';
import { ActionButton } from '../../../ui/ActionButton.tsx';
import { Copyable } from '../../../ui/CopyButton.tsx';
import { CloseButton, Dialog } from '../../../ui/Dialog.tsx';
import { awaited } from '../../../ui/losses.ts';
import { SecretsDialog } from '../../../ui/SecretDialog.tsx';
import { SecretsKept } from '../../../ui/secrets-kept.ts';
import { CodeField, OwnPasswordField } from './ProofField.tsx';
import { useProof } from './proof.ts';
import { QrCode } from '../../../ui/QrCode.tsx';
import { beginSecondFactor, confirmSecondFactor, type Enrolment } from './second-factor.api.ts';

const FORM = 'second-factor-enrol';

/** The secret, to scan or to type in groups of four. */
function Secret({ enrolment }: { enrolment: Enrolment }): ReactNode {
  const { t } = useTranslation();
  return (
    <>
      <p>{t('users.secondFactor.scan')}</p>
      <QrCode text={enrolment.uri} label={t('users.secondFactor.qr')} />
      <p className="dim">{t('users.secondFactor.orType')}</p>
      <Copyable text={enrolment.secret} label={t('users.secondFactor.key')} shown>
        <code className="second-factor__key">{enrolment.secret.replaceAll(/(.{4})(?=.)/gu, '$1 ')}</code>
      </Copyable>
    </>
  );
}

function SaveCodes({ codes }: { codes: readonly string[] }): ReactNode {
  const { t } = useTranslation();
  const onKept = useContext(SecretsKept);
  const save = () => {
    const text = `${codes.join('\r\n')}\r\n`;
    saveFile(new Blob([text], { type: 'text/plain' }), 'highline-recovery-codes.txt');
    onKept(text);
  };
  return (
    <Button leftSection={<IconDownload size={16} />} onClick={save}>
      {t('users.secondFactor.saveFile')}
    </Button>
  );
}

function RecoveryCodes({ codes, onClose }: { codes: readonly string[]; onClose: () => void }): ReactNode {
  const { t } = useTranslation();
  return (
    <SecretsDialog
      title={t('users.secondFactor.recoveryTitle')}
      secrets={codes}
      done={t('users.secondFactor.saved')}
      onClose={onClose}
    >
      <p>{t('users.secondFactor.recoveryHint')}</p>
      <ul className="second-factor__codes" aria-label={t('users.secondFactor.recoveryTitle')}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <Copyable text={codes.join('\n')} label={t('users.secondFactor.recoveryTitle')} shown>
        {t('users.secondFactor.copyAll')}
      </Copyable>
      <SaveCodes codes={codes} />
    </SecretsDialog>
  );
}

/** Turn the second factor on: the password, then a first code of the app, then the recovery codes, once. */
export function EnrolDialog({ onClose }: { onClose: () => void }): ReactNode {
  const { t } = useTranslation();
  const { values, isProven, field, reject } = useProof();
  const [enrolment, setEnrolment] = useState<Enrolment>();
  const [codes, setCodes] = useState<readonly string[]>();
  const begin = useAction<string, Enrolment>({ run: beginSecondFactor, onDone: setEnrolment, onError: reject });
  const confirm = useAction<string, readonly string[]>({ run: confirmSecondFactor, onDone: setCodes, onError: reject });
  const isFilled = enrolment === undefined ? isProven : values.code.trim() !== '';
  const busy = begin.busy || confirm.busy;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isFilled || busy) return;
    if (enrolment === undefined) begin.run(values.password);
    else confirm.run(values.code);
  };
  if (codes !== undefined) return <RecoveryCodes codes={codes} onClose={onClose} />;
  return (
    <Dialog
      title={t('users.secondFactor.enrolTitle')}
      onClose={onClose}
      sticky
      loss={busy ? awaited : undefined}
      actions={
        <>
          <CloseButton disabled={busy}>{t('ui.cancel')}</CloseButton>
          <ActionButton
            type="submit"
            form={FORM}
            variant="filled"
            loading={busy}
            disabledReason={
              isFilled ? undefined : t(`users.secondFactor.${enrolment === undefined ? 'passwordFirst' : 'codeFirst'}`)
            }
          >
            {t(enrolment === undefined ? 'users.secondFactor.next' : 'users.secondFactor.turnOn')}
          </ActionButton>
        </>
      }
    >
      <form id={FORM} className="form" noValidate onSubmit={submit}>
        {enrolment === undefined ? (
          <OwnPasswordField {...field('password')} />
        ) : (
          <>
            <Secret enrolment={enrolment} />
            <CodeField {...field('code')} autoFocus hint={t('users.secondFactor.codeOfApp')} />
          </>
        )}
      </form>
    </Dialog>
  );
}

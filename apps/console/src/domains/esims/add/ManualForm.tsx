import { TextInput } from '../../../ui/controls/TextInput.tsx';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useTranslation } from '#i18n';
import { useAction } from '../../../api/useAction.ts';
import { useErrorText } from '../../../api/useErrorText.ts';
import { ActionButton } from '../../../ui/ActionButton.tsx';
import { CardsForm } from '../cards/CardsForm.tsx';
import { type RouterKey, routerProfilesQuery } from '../esims.api.ts';

/** Serial number and EID of a router. Check Its SIMs verifies that they match and loads its eSIMs (SIM-06). */
function RouterCheck({ onFound }: { onFound: (router: RouterKey) => void }): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const errorText = useErrorText();
  const [serial, setSerial] = useState('');
  const [eid, setEid] = useState('');
  const [rejection, setRejection] = useState<string>();
  const router = { serial: serial.trim(), eid: eid.trim() };
  const filled = router.serial !== '' && router.eid !== '';
  const check = useAction<RouterKey, unknown>({
    run: (input) => client.fetchQuery(routerProfilesQuery(input)),
    onDone: (_profiles, input) => onFound(input),
    onError: (error) => {
      setRejection(errorText(error));
      return true;
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (filled) check.run(router);
  };
  return (
    <form className="esim-router" noValidate onSubmit={submit}>
      <TextInput
        name="serial"
        label={t('esims.device.serial')}
        withAsterisk
        aria-required
        value={serial}
        maxLength={60}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => {
          setSerial(event.currentTarget.value);
          setRejection(undefined);
        }}
      />
      <TextInput
        name="eid"
        label={t('esims.device.eid')}
        withAsterisk
        aria-required
        value={eid}
        error={rejection}
        maxLength={60}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => {
          setEid(event.currentTarget.value);
          setRejection(undefined);
        }}
      />
      <ActionButton
        type="submit"
        variant="filled"
        loading={check.busy}
        disabledReason={filled ? undefined : t('esims.device.bothFirst')}
      >
        {t('esims.device.check')}
      </ActionButton>
    </form>
  );
}

/** Add eSIMs to one router by hand: first which router, then its cards (SIM-06). */
export function ManualForm({ checked }: { checked: RouterKey | undefined }): ReactNode {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const go = (router: RouterKey | undefined) =>
    void navigate({ to: '/devices/esimsAdd', search: { method: 'manual', ...router }, replace: true });
  if (checked !== undefined) return <CardsForm router={checked} onOther={() => go(undefined)} />;
  return (
    <section className="card panel" aria-label={t('esims.device.router')}>
      <RouterCheck onFound={go} />
    </section>
  );
}

import { Button } from '../../../ui/controls/Button.tsx';
import { TextInput } from '../../../ui/controls/TextInput.tsx';
import { IconInfoCircle, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { esims } from '@highline/contract';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from '#i18n';
import { REFRESH_MS } from '../../../api/useList.ts';
import { useErrorText } from '../../../api/useErrorText.ts';
import { useRoleFor } from '../../../api/session.ts';
import { ActionButton } from '../../../ui/ActionButton.tsx';
import '../../../ui/form/form.css';
import { SaveButton } from '../../../ui/form/SaveButton.tsx';
import { useUnsavedChanges } from '../../../ui/form/useUnsavedChanges.ts';
import { lastSearch } from '../../../ui/list/last-search.ts';
import { useRefreshPaused } from '../../../ui/refresh.ts';
import { EmptyState, ErrorState } from '../../../ui/states.tsx';
import '../add/add.css';
import { type RouterKey, type RouterProfiles, routerProfilesQuery } from '../esims.api.ts';
import { CardList } from './CardList.tsx';
import { isFull, slotsUsed } from './cards.ts';
import './cards.css';
import { useCards } from './useCards.ts';

export interface CardsFormProps {
  readonly router: RouterKey;
  /** The pk of the eSIM a person came for: its card is open. */
  readonly open?: string;
  /** Choose another router. Absent: the page is about this one. */
  readonly onOther?: () => void;
}

interface RouterPanelProps {
  readonly router: RouterKey;
  readonly error: string | undefined;
  readonly onOther: (() => void) | undefined;
}

/** The router of the cards; why a profile was not added is shown under its EID (SIM-09). */
function RouterPanel({ router, error, onOther }: RouterPanelProps): ReactNode {
  const { t } = useTranslation();
  return (
    <section className="card panel esim-router" aria-label={t('esims.device.router')}>
      <TextInput label={t('esims.device.serial')} value={router.serial} readOnly />
      <TextInput label={t('esims.device.eid')} value={router.eid} error={error} readOnly />
      {onOther !== undefined && <Button onClick={onOther}>{t('esims.device.other')}</Button>}
    </section>
  );
}

function LoadedCards({ router, open, onOther, found }: CardsFormProps & { found: RouterProfiles }): ReactNode {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const mayChange = useRoleFor('esims') === 'admin';
  const form = useCards(router, found.profiles);
  const [done, setDone] = useState(false);
  const full = isFull(form.cards);
  useUnsavedChanges(form.dirty && !done, { save: form.save, address: 'whole' });
  // Open the list only after the form counts as saved, or leaving would warn about unsaved changes.
  useEffect(() => {
    if (done) void navigate({ to: '/devices/esimsList', search: {} });
  }, [done, navigate]);
  const save = async () => {
    if (await form.save()) setDone(true);
  };

  return (
    <>
      <RouterPanel router={router} error={form.eidError} onOther={onOther} />
      {found.router.hasEuicc === null && (
        <p className="note" role="status">
          <IconInfoCircle size={18} />
          {t('esims.device.notKnownYet')}
        </p>
      )}
      <div className="esim-bar">
        <p className="esim-bar__facts">
          {t('esims.edit.slots', { used: slotsUsed(form.cards), most: esims.MAX_PROFILES })} · {t('esims.edit.order')} ·{' '}
          {t('esims.edit.belowInUse')}
        </p>
        <Button
          variant="subtle"
          onClick={() => void navigate({ to: '/devices/esimsList', search: lastSearch('/devices/esimsList') })}
        >
          {t('esims.card.cancel')}
        </Button>
        <SaveButton
          dirty={form.dirty}
          saving={form.saving}
          reason={mayChange ? undefined : t('esims.adminsOnly')}
          onClick={() => void save()}
        />
      </div>
      <CardList router={router} form={form} open={open} />
      {full ? (
        <p className="note" role="status">
          <IconInfoCircle size={18} />
          {t('esims.card.full')}
        </p>
      ) : (
        <div>
          <ActionButton icon={<IconPlus size={16} />} onClick={form.add}>
            {t('esims.card.add')}
          </ActionButton>
        </div>
      )}
    </>
  );
}

/** The eSIMs of one router as cards in the order of their priority, live until something is typed (SIM-06 … 09). */
export function CardsForm(props: CardsFormProps): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const paused = useRefreshPaused();
  const query = useQuery({
    ...routerProfilesQuery(props.router),
    refetchInterval: paused ? false : REFRESH_MS,
    // Changes of other users must not be mixed into the input: the earlier ETags reveal them at the save.
    refetchOnWindowFocus: !paused,
  });
  if (query.data !== undefined) return <LoadedCards {...props} found={query.data} />;
  if (query.isError) {
    return (
      <>
        <RouterPanel router={props.router} error={errorText(query.error)} onOther={props.onOther} />
        <ErrorState text={errorText(query.error)} onRetry={() => void query.refetch()} />
      </>
    );
  }
  return (
    <div aria-busy="true">
      <EmptyState text={t('esims.card.loading')} />
    </div>
  );
}

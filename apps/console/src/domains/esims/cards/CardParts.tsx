import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { useRoleFor } from '../../../api/session.ts';
import { ActionButton } from '../../../ui/ActionButton.tsx';
import { Copyable } from '../../../ui/CopyButton.tsx';
import { StatusDot } from '../../../ui/StatusDot.tsx';
import { Button } from '../../../ui/controls/Button.tsx';
import { ProfileStatus, useReason } from '../ProfileStatus.tsx';
import { SwitchButtons } from '../SwitchButtons.tsx';
import { ResumeButton } from '../columns.tsx';
import type { Resume } from '../useResume.ts';
import type { Switch } from '../useSwitch.ts';
import { type Card, type Field, isDeleting, isUnsent } from './cards.ts';
import type { Fault } from './useCards.ts';

export interface EsimCardProps {
  readonly card: Card;
  /** 1 = tried first; undefined for a card marked for deletion. */
  readonly position: number | undefined;
  readonly isFirst: boolean;
  readonly isLast: boolean;
  readonly open: boolean;
  /** The save stopped here. */
  readonly fault: Fault | undefined;
  /** Missing fields are marked. */
  readonly checked: boolean;
  readonly resume: Resume;
  readonly change: Switch;
  /** Something is typed and not saved: that is saved or discarded before the router is switched. */
  readonly dirty: boolean;
  /** Being saved: nothing moves. */
  readonly locked: boolean;
  readonly onOpen: () => void;
  readonly onType: (field: Field, value: string) => void;
  readonly onMove: (step: -1 | 1) => void;
  readonly onRemove: () => void;
  readonly onUndoRemove: () => void;
}

/** The state of the card, with the reason below. */
export function CardStatus({
  card,
  resume,
  change,
  dirty,
}: Pick<EsimCardProps, 'card' | 'resume' | 'change' | 'dirty'>): ReactNode {
  const { t } = useTranslation();
  const notAllowed = useRoleFor('esims') === 'admin' ? undefined : t('esims.adminsOnly');
  const reason = useReason(card.profile?.reason ?? '');
  if (card.removed) return <StatusDot tone="warn">{t('esims.card.marked')}</StatusDot>;
  if (card.profile === undefined) return <StatusDot tone="unknown">{t('esims.card.unsaved')}</StatusDot>;
  const notSetUp = card.profile.act ? t('esims.card.notSetUpInUse') : t('esims.card.notSetUp');
  const why = isDeleting(card) ? t('esims.card.deleting') : isUnsent(card) ? notSetUp : reason;
  return (
    <>
      <ProfileStatus profile={card.profile} />
      {why !== undefined && <span className="esim-card__why">{why}</span>}
      <ResumeButton profile={card.profile} resume={resume} notAllowed={notAllowed} />
      <SwitchButtons
        profile={card.profile}
        change={change}
        notAllowed={notAllowed ?? (dirty ? t('esims.switch.saveFirst') : undefined)}
      />
    </>
  );
}

export function Identity({ card, name }: { card: Card; name: string }): ReactNode {
  const { t } = useTranslation();
  const { kind, profile, values } = card;
  return (
    <>
      <div className="esim-card__name">
        <span className="strong">{name}</span>
        <span className="dim">{profile?.carrier || t('esims.card.unknownCarrier')}</span>
      </div>
      <div className="esim-card__iccid">
        {values.iccid === '' ? (
          <span className="dim">{t('esims.card.unknownIccid')}</span>
        ) : (
          <Copyable text={values.iccid} label={t('esims.card.iccid')}>
            <span className="mono">{values.iccid}</span>
          </Copyable>
        )}
        <span className="dim">
          {kind === 'preloaded' && <>{t('esims.card.preloaded')} · </>}
          {values.apn === '' ? t('esims.card.unknownApn') : values.apn}
        </span>
      </div>
    </>
  );
}

export function RemoveButton({
  card,
  name,
  onRemove,
  onUndoRemove,
}: Pick<EsimCardProps, 'card' | 'onRemove' | 'onUndoRemove'> & { name: string }) {
  const { t } = useTranslation();
  if (card.removed) {
    return (
      <Button variant="subtle" onClick={onUndoRemove}>
        {t('esims.card.keep')}
      </Button>
    );
  }
  const reason =
    card.kind === 'preloaded' ? t('esims.card.noPreloadedDelete') : isDeleting(card) ? t('esims.card.deleting') : undefined;
  return (
    <ActionButton
      variant="subtle"
      color="danger"
      label={t('esims.card.removeNamed', { name })}
      disabledReason={reason}
      onClick={onRemove}
    >
      {t('esims.card.remove')}
    </ActionButton>
  );
}

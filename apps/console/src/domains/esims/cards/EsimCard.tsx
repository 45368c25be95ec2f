import { useSortable } from '@dnd-kit/sortable';
import { ActionIcon, Button } from '../../../ui/controls/Button.tsx';
import { IconArrowDown, IconArrowUp, IconChevronDown, IconGripVertical } from '@tabler/icons-react';
import { type CSSProperties, type ReactNode, useId } from 'react';
import { useTranslation } from '#i18n';
import { useRoleFor } from '../../../api/session.ts';
import { ActionButton } from '../../../ui/ActionButton.tsx';
import { Copyable } from '../../../ui/CopyButton.tsx';
import { StatusDot } from '../../../ui/StatusDot.tsx';
import { ResumeButton } from '../columns.tsx';
import { ProfileStatus, useReason } from '../ProfileStatus.tsx';
import { SwitchButtons } from '../SwitchButtons.tsx';
import type { Resume } from '../useResume.ts';
import type { Switch } from '../useSwitch.ts';
import { CardFields } from './CardFields.tsx';
import { type Card, type Field, isDeleting, isUnsent } from './cards.ts';
import { useCardName } from './useCardName.ts';
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

interface MoveButtonProps {
  readonly label: string;
  readonly icon: ReactNode;
  readonly blocked: boolean;
  readonly onClick: () => void;
}

/** It keeps the focus at the end of the list, so that a person can go on with the keys. */
function MoveButton({ label, icon, blocked, onClick }: MoveButtonProps): ReactNode {
  return (
    <ActionIcon
      aria-label={label}
      title={label}
      {...(blocked ? { 'aria-disabled': true, 'data-disabled': true } : {})}
      onClick={() => !blocked && onClick()}
    >
      {icon}
    </ActionIcon>
  );
}

/** The state of the card, with the reason below. */
function CardStatus({ card, resume, change, dirty }: Pick<EsimCardProps, 'card' | 'resume' | 'change' | 'dirty'>): ReactNode {
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

function Identity({ card, name }: { card: Card; name: string }): ReactNode {
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

function RemoveButton({
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

/** Up and down only; a card never leaves its column. */
function styleOf(transform: { y: number } | null, transition: string | undefined): CSSProperties {
  return { transform: transform === null ? undefined : `translate3d(0, ${transform.y}px, 0)`, transition };
}

/** One eSIM of a router: its state, its position, and its fields when the card is open (SIM-06 … 08). */
export function EsimCard(props: EsimCardProps): ReactNode {
  const {
    card,
    position,
    isFirst,
    isLast,
    open,
    fault,
    checked,
    resume,
    change,
    dirty,
    locked,
    onOpen,
    onType,
    onMove,
    onRemove,
    onUndoRemove,
  } = props;
  const { t } = useTranslation();
  const id = useId();
  const name = useCardName()(card);
  const fixed = locked || card.removed || isDeleting(card);
  const { setNodeRef, setActivatorNodeRef, attributes, listeners, transform, transition, isDragging } = useSortable({
    id: card.key,
    disabled: fixed,
  });

  return (
    <li
      ref={setNodeRef}
      className="card esim-card"
      data-card={card.key}
      data-dragging={isDragging || undefined}
      data-fault={fault !== undefined || undefined}
      data-gone={card.removed ? 'removed' : isDeleting(card) ? 'deleting' : undefined}
      style={styleOf(transform, transition)}
      aria-label={name}
      tabIndex={-1}
    >
      <div className="esim-card__row">
        <ActionIcon
          ref={setActivatorNodeRef}
          className="esim-card__handle"
          {...attributes}
          {...listeners}
          aria-label={t('esims.card.drag', { name })}
          {...(fixed ? { 'aria-disabled': true, 'data-disabled': true } : {})}
        >
          <IconGripVertical size={16} />
        </ActionIcon>
        <span className="esim-card__position">{position ?? '–'}</span>
        <Identity card={card} name={name} />
        <div className="esim-card__status">
          <CardStatus card={card} resume={resume} change={change} dirty={dirty} />
        </div>
        <div className="esim-card__actions">
          <MoveButton
            label={t('esims.card.up', { name })}
            icon={<IconArrowUp size={16} />}
            blocked={fixed || isFirst}
            onClick={() => onMove(-1)}
          />
          <MoveButton
            label={t('esims.card.down', { name })}
            icon={<IconArrowDown size={16} />}
            blocked={fixed || isLast}
            onClick={() => onMove(1)}
          />
          <RemoveButton card={card} name={name} onRemove={onRemove} onUndoRemove={onUndoRemove} />
          <ActionIcon
            className="esim-card__open"
            aria-label={t(open ? 'esims.card.close' : 'esims.card.open', { name })}
            aria-expanded={open}
            aria-controls={id}
            onClick={onOpen}
          >
            <IconChevronDown size={16} />
          </ActionIcon>
        </div>
      </div>
      <div id={id} hidden={!open}>
        {open && <CardFields card={card} checked={checked} fault={fault} onType={onType} />}
      </div>
      {fault !== undefined && (fault.field === undefined || fault.text !== undefined) && (
        <p className="esim-card__fault bad" role="alert">
          {t(fault.isLater === true ? 'esims.save.failedLater' : 'esims.save.failed', { name })}
        </p>
      )}
    </li>
  );
}

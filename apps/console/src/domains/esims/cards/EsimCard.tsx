import { useSortable } from '@dnd-kit/sortable';
import { IconArrowDown, IconArrowUp, IconChevronDown, IconGripVertical } from '@tabler/icons-react';
import { type CSSProperties, type ReactNode, useId } from 'react';
import { useTranslation } from '#i18n';
import { ActionIcon } from '../../../ui/controls/Button.tsx';
import { CardFields } from './CardFields.tsx';
import { CardStatus, Identity, RemoveButton, type EsimCardProps } from './CardParts.tsx';
import { isDeleting } from './cards.ts';
import { useCardName } from './useCardName.ts';

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

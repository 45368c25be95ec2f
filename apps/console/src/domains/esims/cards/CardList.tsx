import {
  type Announcements,
  closestCenter,
  DndContext,
  type DragEndEvent,
  KeyboardSensor,
  PointerSensor,
  type UniqueIdentifier,
  useSensor,
  useSensors,
} from '@dnd-kit/core';
import { SortableContext, sortableKeyboardCoordinates, verticalListSortingStrategy } from '@dnd-kit/sortable';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from '#i18n';
import { confirmAction } from '../../../ui/dialogs.ts';
import { sentences } from '../../../ui/sentences.ts';
import { deleteProfile, type RouterKey } from '../esims.api.ts';
import { useChangeSentence } from '../useImpact.ts';
import { useResume } from '../useResume.ts';
import { useSwitch } from '../useSwitch.ts';
import { type Card, consequenceOf, positionsOf } from './cards.ts';
import { EsimCard } from './EsimCard.tsx';
import { useCardName } from './useCardName.ts';
import type { Cards } from './useCards.ts';

export interface CardListProps {
  readonly router: RouterKey;
  readonly form: Cards;
  readonly open: string | undefined;
}

/** The screen-reader announcements while a card is dragged. */
function useAnnouncements(cards: readonly Card[]) {
  const { t } = useTranslation();
  const nameOf = useCardName();
  return useMemo(() => {
    const positionOf = (id: UniqueIdentifier | undefined) => cards.findIndex(({ key }) => key === id) + 1;
    const nameFor = (id: UniqueIdentifier) => {
      const card = cards.find(({ key }) => key === id);
      return card === undefined ? '' : nameOf(card);
    };
    const announcements: Announcements = {
      onDragStart: ({ active }) => t('esims.drag.picked', { name: nameFor(active.id) }),
      onDragOver: ({ active, over }) => t('esims.drag.over', { name: nameFor(active.id), position: positionOf(over?.id) }),
      onDragEnd: ({ active, over }) => t('esims.drag.dropped', { name: nameFor(active.id), position: positionOf(over?.id) }),
      onDragCancel: ({ active }) => t('esims.drag.cancelled', { name: nameFor(active.id) }),
    };
    return { announcements, screenReaderInstructions: { draggable: t('esims.drag.instructions') } };
  }, [cards, nameOf, t]);
}

/** Confirms that a card is marked for deletion, with the consequence for the vehicle (SIM-08). @returns whether to continue */
function useConfirmRemoval(form: Cards): (card: Card) => Promise<boolean> {
  const { t } = useTranslation();
  const nameOf = useCardName();
  const sentenceOf = useChangeSentence();
  return async (card) => {
    // If the server does not answer, use what the cards show; Save asks the server again.
    const impact = await deleteProfile(card.key, { dryRun: '1' }).catch(() => undefined);
    const change = impact?.vehicles[0];
    const impactConsequence = change?.kind === 'unreachable' ? 'dark' : change === undefined ? 'none' : 'switches';
    const consequence = impact === undefined ? consequenceOf(card, form.cards) : impactConsequence;
    const isSure = await confirmAction({
      title: t('ui.dialog.warningTitle'),
      text: sentences([t('esims.remove.question', { name: nameOf(card) }), t('esims.remove.plan')]),
      ...(change === undefined ? {} : { means: sentenceOf(change) }),
      ...(consequence === 'none' ? {} : { warning: t(`esims.remove.${consequence}`) }),
      yes: t('esims.card.remove'),
      no: t('ui.cancel'),
      effect: 'permanent',
    });
    if (isSure && impact !== undefined) form.seen(card.key, impact.confirmation);
    return isSure;
  };
}

/** The cards in order; they are moved by dragging, by the keyboard, and by a button for each direction (SIM-06). */
export function CardList({ router, form, open }: CardListProps): ReactNode {
  const { t } = useTranslation();
  const { cards, fault } = form;
  const list = useRef<HTMLOListElement>(null);
  const resume = useResume();
  const change = useSwitch();
  const confirm = useConfirmRemoval(form);
  const accessibility = useAnnouncements(cards);
  const [opened, setOpened] = useState<ReadonlyMap<string, boolean>>(new Map());
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 4 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  );
  const positions = positionsOf(cards);
  const isOpen = ({ key, kind }: Card) => fault?.card === key || (opened.get(key) ?? (kind === 'new' || key === open));

  // Where a save stopped is where to go on.
  useEffect(() => {
    if (fault === undefined) return;
    const card = list.current?.querySelector<HTMLElement>(`[data-card="${CSS.escape(fault.card)}"]`);
    const target = fault.field === undefined ? card : card?.querySelector<HTMLElement>(`[name="${fault.field}"]`);
    target?.focus();
  }, [fault]);

  const onDragEnd = ({ active, over }: DragEndEvent) => {
    const position = cards.findIndex(({ key }) => key === over?.id);
    if (position !== -1 && active.id !== over?.id) form.move(String(active.id), position);
  };
  const remove = async (card: Card) => {
    if (card.kind === 'new' || (await confirm(card))) form.remove(card);
  };

  return (
    <DndContext sensors={sensors} collisionDetection={closestCenter} accessibility={accessibility} onDragEnd={onDragEnd}>
      <SortableContext items={cards.map(({ key }) => key)} strategy={verticalListSortingStrategy}>
        <ol ref={list} className="esim-cards" aria-label={t('esims.card.list', { serial: router.serial })}>
          {cards.map((card, index) => (
            <EsimCard
              key={card.key}
              card={card}
              position={positions.get(card.key)}
              isFirst={index === 0}
              isLast={index === cards.length - 1}
              open={isOpen(card)}
              fault={fault?.card === card.key ? fault : undefined}
              checked={form.checked}
              resume={resume}
              change={change}
              dirty={form.dirty}
              locked={form.saving}
              onOpen={() => setOpened((before) => new Map([...before, [card.key, !isOpen(card)]]))}
              onType={(field, value) => form.type(card.key, field, value)}
              onMove={(step) => form.move(card.key, index + step)}
              onRemove={() => void remove(card)}
              onUndoRemove={() => form.keep(card.key)}
            />
          ))}
        </ol>
      </SortableContext>
    </DndContext>
  );
}

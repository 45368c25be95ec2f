import { useCallback } from 'react';
import { useTranslation } from '#i18n';
import type { Card } from './cards.ts';

/** The name of a card: its eSIM name, else that it is new, else its ICCID. It does not change while a number is typed. */
export function useCardName(): (card: Card) => string {
  const { t } = useTranslation();
  return useCallback(
    ({ kind, values }: Card) => {
      if (kind === 'preloaded') return t('esims.card.preloadedName');
      if (kind === 'new') return values.name.trim() || t('esims.card.freshName');
      return values.name.trim() || values.iccid.trim() || t('esims.card.unnamed');
    },
    [t],
  );
}

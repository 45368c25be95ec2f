import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import type { Card } from './cards.ts';

/** What a card is called: its eSIM name, else its ICCID, else that it is new. */
export function useCardName(): (card: Card) => string {
  const { t } = useTranslation();
  return useCallback(
    ({ kind, values }: Card) => {
      if (kind === 'preloaded') return t('esims.card.preloadedName');
      return values.name.trim() || values.iccid.trim() || t('esims.card.freshName');
    },
    [t],
  );
}

import { Button } from '../controls/Button.tsx';
import { IconHistory } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';

export interface DraftOfferProps {
  readonly onRestore: () => void;
  readonly onDiscard: () => void;
}

/** Offers the input from before a sign-out or a closed page. */
export function DraftOffer({ onRestore, onDiscard }: DraftOfferProps): ReactNode {
  const { t } = useTranslation();
  return (
    <div className="note" role="status">
      <IconHistory size={18} />
      <div className="draft__message">
        <span className="draft__text">{t('ui.draft.found')}</span>
        <span className="draft__ways">
          <Button onClick={onRestore}>{t('ui.draft.restore')}</Button>
          <Button variant="subtle" onClick={onDiscard}>
            {t('ui.draft.discard')}
          </Button>
        </span>
      </div>
    </div>
  );
}

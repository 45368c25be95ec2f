import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { DateField } from '../../../ui/form/DateField.tsx';
import { TwelveMonths } from '../../../ui/form/TwelveMonths.tsx';
import { formatNumber } from '../../../ui/time/format.ts';
import { dayProblem, type StockChoice } from './stock.ts';
import { StockTable } from './StockTable.tsx';
import { useStockSelection } from './useStockSelection.ts';

export interface StockFieldsProps {
  readonly choice: StockChoice;
  readonly onChange: (part: Partial<StockChoice>) => void;
}

/** Step 2 from the stock (P13): which routers, and the days of their subscriptions. */
export function StockFields({ choice, onChange }: StockFieldsProps): ReactNode {
  const { t } = useTranslation();
  const { routers, started, expired } = choice;
  const selection = useStockSelection(routers, (chosen) => onChange({ routers: chosen }));
  const problem = dayProblem(choice);
  return (
    <>
      <div className="wizard__stock">
        <StockTable selection={selection} />
      </div>
      <div className="wizard__count">
        <span role="status">{t('wizard.stock.chosen', { count: routers.length, shown: formatNumber(routers.length) })}</span>
        {routers.length > 0 && (
          <button type="button" className="link" onClick={selection.leave}>
            {t('wizard.stock.none')}
          </button>
        )}
      </div>
      <div className="form__pair">
        <DateField label={t('wizard.stock.started')} value={started} onChange={(day) => onChange({ started: day })} />
        <DateField
          label={t('wizard.stock.expired')}
          value={expired}
          error={problem === 'reversed' && t('wizard.stock.reversed')}
          onChange={(day) => onChange({ expired: day })}
        />
      </div>
      <TwelveMonths started={started} onPick={onChange} />
      <p className="dim">{t('wizard.stock.days')}</p>
    </>
  );
}

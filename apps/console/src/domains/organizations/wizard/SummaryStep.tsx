import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ActionButton } from '../../../ui/ActionButton.tsx';
import { formatNumber } from '../../../ui/time/format.ts';
import type { Wizard } from './useWizard.ts';

/** Summary: what will be created. */
export function SummaryStep({ wizard }: { wizard: Wizard }): ReactNode {
  const { t } = useTranslation();
  const { draft, file, validation, busy } = wizard;
  const devices =
    file === undefined || validation === undefined
      ? t('wizard.summary.none')
      : t('wizard.summary.file', {
          name: file.name,
          success: formatNumber(validation.outcome.success),
          total: formatNumber(validation.outcome.total),
        });
  const facts = [
    ...(['name', 'email', 'phone', 'address'] as const).map(
      (field) => [t(`wizard.field.${field}`), draft[field].trim()] as const,
    ),
    [t('wizard.summary.devices'), devices] as const,
  ];
  return (
    <div className="form">
      <dl className="wizard__facts">
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value === '' ? '--' : value}</dd>
          </div>
        ))}
      </dl>
      <div className="form__actions">
        <ActionButton {...(busy ? {} : { onClick: () => wizard.go('devices') })}>{t('wizard.back')}</ActionButton>
        <ActionButton variant="filled" loading={busy} onClick={wizard.submit}>
          {t('wizard.submit')}
        </ActionButton>
      </div>
    </div>
  );
}

import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { ActionButton } from '../../../ui/ActionButton.tsx';
import { formatDay, formatNumber } from '../../../ui/time/format.ts';
import type { Wizard } from './useWizard.ts';

/** The devices that will be added, as text. */
function useDevicesText({ draft: { source, stock }, file, validation }: Wizard): string {
  const { t } = useTranslation();
  const { routers, started, expired } = stock;
  if (source === 'stock' && routers.length > 0) {
    const count = { count: routers.length, shown: formatNumber(routers.length) };
    return expired === ''
      ? t('wizard.summary.unsubscribed', count)
      : t('wizard.summary.stock', { ...count, started: formatDay(started), expired: formatDay(expired) });
  }
  if (source === 'stock' || file === undefined || validation === undefined) return t('wizard.summary.none');
  const { success, total } = validation.outcome;
  return t('wizard.summary.file', { name: file.name, success: formatNumber(success), total: formatNumber(total) });
}

/** Summary: what will be created. */
export function SummaryStep({ wizard }: { wizard: Wizard }): ReactNode {
  const { t } = useTranslation();
  const { draft, busy } = wizard;
  const devices = useDevicesText(wizard);
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

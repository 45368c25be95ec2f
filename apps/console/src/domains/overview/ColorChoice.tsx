import { devices } from '@highline/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { call } from '../../api/client.ts';
import { useErrorText } from '../../api/useErrorText.ts';
import { chartColor } from '../../ui/chart/palette.ts';
import type { Counts } from './overview.api.ts';
import './color-choice.css';

/** Changes the colour of a carrier for everyone of the organization (SAY-11). */
export function ColorChoice({ carrier }: { carrier: Counts['carriers'][number] }): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const client = useQueryClient();
  const save = useMutation({
    mutationFn: (color: number) => call(devices.saveCarrierColor, { body: { carrier: carrier.carrier, color } }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['overview', 'counts'] }),
  });
  const shown = save.isPending ? save.variables : carrier.color;
  return (
    <fieldset className="color-choice">
      <legend>{t('carrierColors.title')}</legend>
      {Array.from({ length: devices.CARRIER_COLORS }, (_, index) => index + 1).map((color) => (
        <label key={color} title={t(`carrierColors.name.${color as 1 | 2 | 3 | 4 | 5}`)}>
          <input
            type="radio"
            name="carrier-color"
            checked={shown === color}
            aria-label={t(`carrierColors.name.${color as 1 | 2 | 3 | 4 | 5}`)}
            onChange={() => save.mutate(color)}
          />
          <span className="drawn" style={{ background: chartColor(color) }} aria-hidden="true" />
        </label>
      ))}
      {save.error !== null && <p role="alert">{errorText(save.error)}</p>}
    </fieldset>
  );
}

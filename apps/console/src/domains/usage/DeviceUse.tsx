import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { formatBytes } from '../../ui/bytes.ts';
import { formatDayBefore, formatDay } from '../../ui/time/format.ts';
import { MonthChart } from './MonthChart.tsx';
import { deviceUseQuery } from './usage.api.ts';

/** Data used by the SIMs of a device: this cycle, and this month by day (USE-02). */
export function DeviceUse({ device }: { device: string }): ReactNode {
  const { t } = useTranslation();
  const sims = useQuery(deviceUseQuery(device)).data ?? [];
  return (
    <>
      {sims.length > 0 && (
        <section className="card panel usage-sims" aria-label={t('usage.cycle.current')}>
          <h2>{t('usage.cycle.current')}</h2>
          <ul>
            {sims.map(({ iccid, total, before, cycleFrom, cycleUntil }) => (
              <li key={iccid}>
                <span className="mono">{iccid === '' ? t('usage.unknownSim') : iccid}</span>
                <span className="dim">
                  {formatDay(cycleFrom)} – {formatDayBefore(cycleUntil)}
                </span>
                <strong className="num">{formatBytes(total)}</strong>
                <span className="dim">
                  {t('usage.column.before')}: {formatBytes(before)}
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
      <MonthChart device={device} />
    </>
  );
}

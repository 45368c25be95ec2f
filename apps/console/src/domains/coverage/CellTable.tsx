import { coverageLevelOf } from '@highline/contract';
import { Link } from '@tanstack/react-router';
import { Button } from '../../ui/controls/Button.tsx';
import { type ReactNode, useMemo, useState } from 'react';
import { useTranslation } from '#i18n';
import { formatNumber, NOT_REPORTED } from '../../ui/time/format.ts';
import type { Cell } from './coverage.api.ts';
import { isFinest, searchOutages } from './coverage.ts';
import { usePlaceName } from './usePlaceName.ts';

/** Rows added at once. */
const STEP = 100;

/** A value stays on one line with its unit. */
const decibels = (value: number | null, unit: string) => (value === null ? NOT_REPORTED : `${formatNumber(value)}\u00A0${unit}`);

/** A level as a colour and as text. */
export function LevelText({ rsrp }: { readonly rsrp: number | null }): ReactNode {
  const { t } = useTranslation();
  const level = coverageLevelOf(rsrp);
  return (
    <span className="coverage-level">
      <span className="coverage-swatch" data-level={level} aria-hidden="true" />
      {t(`coverage.level.${level}`)}
    </span>
  );
}

export interface CellTableProps {
  readonly cells: readonly Cell[];
  readonly selected: string | undefined;
  readonly onSelect: (cell: string) => void;
}

/** What the map shows, the weakest hexagons first, for the keyboard and for screen readers (POS-06). */
export function CellTable({ cells, selected, onSelect }: CellTableProps): ReactNode {
  const { t } = useTranslation();
  const placeName = usePlaceName();
  const [shown, setShown] = useState(STEP);
  const ordered = useMemo(
    () => cells.toSorted((a, b) => (a.rsrp ?? -Infinity) - (b.rsrp ?? -Infinity) || b.minutes - a.minutes),
    [cells],
  );
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, so the keyboard has to reach it
    <div className="coverage-table" role="region" aria-label={t('coverage.table')} tabIndex={0}>
      <table aria-label={t('coverage.table')}>
        <thead>
          <tr>
            <th scope="col">{t('coverage.column.place')}</th>
            <th scope="col">{t('coverage.column.signal')}</th>
            <th scope="col" className="numeric">
              {t('coverage.column.samples')}
            </th>
            <th scope="col" className="numeric">
              {t('coverage.column.drops')}
            </th>
          </tr>
        </thead>
        <tbody>
          {ordered.slice(0, shown).map((cell) => (
            <tr key={cell.cell} data-selected={cell.cell === selected || undefined}>
              <th scope="row">
                <button type="button" aria-pressed={cell.cell === selected} onClick={() => onSelect(cell.cell)}>
                  {placeName(cell)}
                </button>
              </th>
              <td>
                <LevelText rsrp={cell.rsrp} />
                <span className="coverage-table__values">
                  {decibels(cell.rsrp, 'dBm')} · {decibels(cell.rsrq, 'dB')}
                </span>
              </td>
              <td className="numeric">{formatNumber(cell.samples)}</td>
              <td className="numeric">
                {formatNumber(cell.drops)}
                {cell.drops > 0 && (
                  <span className="coverage-table__values">{t('coverage.minutes', { minutes: formatNumber(cell.minutes) })}</span>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {ordered.length > shown && (
        <Button variant="subtle" onClick={() => setShown(shown + STEP)}>
          {t('coverage.more', { shown: formatNumber(ordered.length - shown) })}
        </Button>
      )}
    </div>
  );
}

/** A hexagon by carrier and technology. */
export function CellCard({ cell, onClose }: { readonly cell: Cell; readonly onClose: () => void }): ReactNode {
  const { t } = useTranslation();
  const place = usePlaceName()(cell);
  return (
    <section className="vehicle-card" aria-label={t('coverage.chosen', { place })}>
      <div className="vehicle-card__head">
        <h2>{place}</h2>
        {isFinest(cell.cell) && (
          <Link to="/outages" search={searchOutages(cell.cell)}>
            {t('coverage.outages')}
          </Link>
        )}
        <Button variant="subtle" onClick={onClose}>
          {t('coverage.close')}
        </Button>
      </div>
      <table className="coverage-networks">
        <caption>{t('coverage.byNetwork')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('coverage.column.network')}</th>
            <th scope="col" className="numeric">
              RSRP
            </th>
            <th scope="col" className="numeric">
              RSRQ
            </th>
            <th scope="col" className="numeric">
              {t('coverage.column.samples')}
            </th>
            <th scope="col" className="numeric">
              {t('coverage.column.drops')}
            </th>
          </tr>
        </thead>
        <tbody>
          {cell.networks.map((network) => (
            <tr key={`${network.carrier} ${network.technology}`}>
              <th scope="row">
                {[network.carrier, network.technology].filter((name) => name !== '').join(' · ') || t('coverage.unknownNetwork')}
              </th>
              <td className="numeric">{decibels(network.rsrp, 'dBm')}</td>
              <td className="numeric">{decibels(network.rsrq, 'dB')}</td>
              <td className="numeric">{formatNumber(network.samples)}</td>
              <td className="numeric">{formatNumber(network.drops)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

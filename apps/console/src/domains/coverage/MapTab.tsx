import { coverageLevels, signalLimits } from '@highline/contract';
import { useQuery } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useTranslation } from '#i18n';
import { useErrorText } from '../../api/useErrorText.ts';
import { withMessages } from '../../i18n/i18n.ts';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { formatNumber } from '../../ui/time/format.ts';
import { CellCard, CellTable } from './CellTable.tsx';
import { cellsQuery, type Coverage } from './coverage.api.ts';
import type { Box } from '../../entities/map/bounds.ts';
import { boxAround, boxNear, isFinest, type sharedQuery } from './coverage.ts';
import { formatPlace, parsePlace } from '../../entities/places/place-address.ts';
import { MapPlaceholder } from '../../entities/map/MapPlaceholder.tsx';

// The map library is large: the table is there before it.
const loadMap = withMessages(['positions'], () => import('./CoverageMap.tsx'));
const CoverageMap = lazy(async () => ({ default: (await loadMap()).CoverageMap }));

export interface MapTabProps {
  readonly query: ReturnType<typeof sharedQuery>;
  /** Large hexagons of everywhere: where the map begins. */
  readonly all: Coverage;
  readonly isFiltered: boolean;
  readonly selected: string | undefined;
  /** The place where the map begins instead, as the address has it. */
  readonly at: string | undefined;
  readonly onSelect: (cell: string | undefined, at: string | undefined) => void;
}

const limits = { good: formatNumber(signalLimits.rsrp.good), fair: formatNumber(signalLimits.rsrp.fair) };

function Legend(): ReactNode {
  const { t } = useTranslation();
  return (
    <ul className="map-legend" aria-label={t('coverage.legend')}>
      {coverageLevels.map((level) => (
        <li key={level}>
          <span className="coverage-swatch" data-level={level} aria-hidden="true" />
          {t(`coverage.level.${level}`)} {level !== 'none' && t(`coverage.range.${level}`, limits)}
        </li>
      ))}
      <li>
        <span className="coverage-swatch" data-level="drops" aria-hidden="true" />
        {t('coverage.lost')}
      </li>
    </ul>
  );
}

/** Hexagons on the map, and the same as a table. */
export function MapTab({ query, all, isFiltered, selected, at, onSelect }: MapTabProps): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const [seen, setSeen] = useState<Box>();
  const [place] = useState(() => parsePlace(at));
  const isEmpty = all.cells.length === 0;
  // The hexagons of everywhere are large: where the map begins follows from smaller ones.
  const begins = place === undefined ? boxAround(all.cells) : boxNear(place);
  const first = useQuery({ ...cellsQuery({ ...query, bbox: begins }), enabled: !isEmpty });
  const found = useQuery({ ...cellsQuery({ ...query, ...(seen !== undefined && { bbox: seen }) }), enabled: seen !== undefined });
  const data = (seen === undefined ? undefined : found.data) ?? first.data ?? all;
  const cell = data.cells.find((each) => each.cell === selected);
  // The map begins at a hexagon of the finest resolution when its address is opened: elsewhere it is not among those that are fetched.
  const select = (id: string | undefined) => {
    const chosen = data.cells.find((each) => each.cell === id);
    onSelect(id, chosen !== undefined && isFinest(chosen.cell) ? formatPlace(chosen) : undefined);
  };
  if (isEmpty)
    return (
      <EmptyState
        text={isFiltered ? t('coverage.noMatch') : t('coverage.none')}
        detail={isFiltered ? undefined : t('coverage.noneHint')}
      />
    );
  return (
    <div className="map-screen coverage-screen" aria-busy={found.isFetching}>
      <div className="map-screen__map">
        {first.data === undefined ? (
          <MapPlaceholder />
        ) : (
          <Suspense fallback={<MapPlaceholder />}>
            <CoverageMap
              cells={data.cells}
              all={place === undefined ? first.data.cells : [place]}
              selected={cell}
              onSelect={select}
              onMoved={setSeen}
            />
          </Suspense>
        )}
        <Legend />
      </div>
      <div className="map-screen__side">
        {cell !== undefined && <CellCard cell={cell} onClose={() => select(undefined)} />}
        {(found.error ?? first.error) !== null && (found.data ?? first.data) === undefined ? (
          <ErrorState
            text={errorText(found.error ?? first.error)}
            onRetry={() => void Promise.all([first.refetch(), found.refetch()])}
          />
        ) : data.cells.length === 0 ? (
          <EmptyState text={t('coverage.noneHere')} detail={t('coverage.noneHereHint')} />
        ) : (
          <CellTable cells={data.cells} selected={selected} onSelect={select} />
        )}
        {data.isCut && <p className="dim">{t('coverage.cut')}</p>}
      </div>
    </div>
  );
}

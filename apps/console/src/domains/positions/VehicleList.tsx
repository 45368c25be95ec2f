import { Button } from '../../ui/controls/Button.tsx';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from '#i18n';
import { useDistanceText } from '../../ui/units.ts';
import { formatNumber, NOT_REPORTED } from '../../ui/time/format.ts';
import { RelativeTime } from '../../ui/time/RelativeTime.tsx';
import { DiagnosisCell } from '../../entities/devices/cells.tsx';
import { useMotionText } from './motion.ts';
import { isOld, toneOf, type ColorBy, type Vehicle } from './vehicle.ts';

/** Vehicles added to the list at once. */
const STEP = 200;

export interface VehicleListProps {
  readonly vehicles: readonly Vehicle[];
  readonly by: ColorBy;
  /** Epoch seconds. */
  readonly now: number;
  readonly selected: string | undefined;
  readonly onSelect: (device: string) => void;
}

/** What the map shows, as a list for the keyboard and for screen readers (POS-02). */
export function VehicleList({ vehicles, by, now, selected, onSelect }: VehicleListProps): ReactNode {
  const { t } = useTranslation();
  const motionText = useMotionText();
  const distanceText = useDistanceText();
  const detailText = (vehicle: Vehicle) => {
    if (vehicle.radius !== null) return t('positions.estimated', { radius: distanceText(vehicle.radius) });
    return isOld(vehicle, now) ? t('positions.old') : motionText(vehicle);
  };
  /** What the colour of a vehicle means, as text. */
  const stateText = (vehicle: Vehicle) => {
    if (by === 'signal') return signalText(vehicle);
    return by === 'state' ? t(`positions.presence.${vehicle.presence}`) : t(`positions.legend.alert.${toneOf(vehicle, by, now)}`);
  };
  const [shown, setShown] = useState(STEP);
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    if (selected !== undefined) list.current?.querySelector('[aria-pressed=true]')?.scrollIntoView({ block: 'nearest' });
  }, [selected]);
  return (
    <>
      <ul ref={list} className="vehicle-list" aria-label={t('positions.list')}>
        {vehicles.slice(0, shown).map((vehicle) => {
          const isChosen = vehicle.device === selected;
          return (
            <li key={vehicle.device}>
              <button
                type="button"
                className="vehicle-list__item"
                aria-pressed={isChosen}
                onClick={() => onSelect(vehicle.device)}
              >
                <span className="vehicle-list__dot" data-tone={toneOf(vehicle, by, now)} aria-hidden="true" />
                <span className="vehicle-list__name">{vehicle.name}</span>
                <span className="vehicle-list__state">{stateText(vehicle)}</span>
                <span className="vehicle-list__detail">
                  <Detail text={detailText(vehicle)} />
                  <RelativeTime moment={vehicle.at} />
                </span>
                {vehicle.diagnosis !== null && (
                  <span className="vehicle-list__diagnosis">
                    <DiagnosisCell kind={vehicle.diagnosis} />
                  </span>
                )}
              </button>
            </li>
          );
        })}
      </ul>
      {vehicles.length > shown && (
        <Button variant="subtle" onClick={() => setShown(shown + STEP)}>
          {t('positions.more', { shown: formatNumber(vehicles.length - shown), count: vehicles.length - shown })}
        </Button>
      )}
    </>
  );
}

function Detail({ text }: { text: string | undefined }): ReactNode {
  return text === undefined ? null : `${text} · `;
}

function signalText({ rssi, presence }: Vehicle): string {
  return rssi === null || presence !== 'online' ? NOT_REPORTED : `${formatNumber(rssi)} dBm`;
}

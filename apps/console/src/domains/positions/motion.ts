import { useTranslation } from '#i18n';
import { useSpeedText } from '../../ui/units.ts';
import { isMoving, type Vehicle } from './vehicle.ts';

/** Its speed, or that it does not move; undefined where its router reports no speed, or is not online. */
export function useMotionText(): (vehicle: Vehicle) => string | undefined {
  const { t } = useTranslation();
  const speedText = useSpeedText();
  return (vehicle) => {
    // What it drove before it was lost says nothing about now.
    if (vehicle.presence !== 'online') return undefined;
    const moves = isMoving(vehicle);
    if (moves === undefined) return undefined;
    return moves ? speedText(vehicle.speed ?? 0) : t('positions.standing');
  };
}

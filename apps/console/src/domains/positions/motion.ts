import { useTranslation } from '#i18n';
import { useSpeedText } from '../../ui/units.ts';
import { isMoving, type Vehicle } from './vehicle.ts';

/** Its speed, or that it does not move; undefined where its router reports no speed. */
export function useMotionText(): (vehicle: Vehicle) => string | undefined {
  const { t } = useTranslation();
  const speedText = useSpeedText();
  return (vehicle) => {
    const moves = isMoving(vehicle);
    if (moves === undefined) return undefined;
    return moves ? speedText(vehicle.speed ?? 0) : t('positions.standing');
  };
}

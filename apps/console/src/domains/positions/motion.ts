import { useTranslation } from 'react-i18next';
import { isMoving, type Vehicle } from './vehicle.ts';

/** Its speed, or that it does not move; undefined where its router reports no speed. */
export function useMotionText(): (vehicle: Vehicle) => string | undefined {
  const { t } = useTranslation();
  return (vehicle) => {
    const moves = isMoving(vehicle);
    if (moves === undefined) return undefined;
    return moves ? t('positions.kmh', { speed: Math.round(vehicle.speed ?? 0) }) : t('positions.standing');
  };
}

import { formatNumber } from '@highline/contract';
import { useSpeedUnit } from './speed.ts';

const METRES_OF_MILE = 1609.344;
const FEET_OF_METRE = 3.280_84;

/** A distance in the person's units, rounded as one says it. @param metres metres */
export function useDistanceText(): (metres: number) => string {
  const isMiles = useSpeedUnit() === 'mph';
  return (metres) => {
    const large = isMiles ? metres / METRES_OF_MILE : metres / 1_000;
    const unit = isMiles ? 'mi' : 'km';
    if (large >= 10) return `${formatNumber(Math.round(large))}\u00A0${unit}`;
    if (large >= 0.3) return `${formatNumber(Math.round(large * 10) / 10)}\u00A0${unit}`;
    const small = isMiles ? Math.round((metres * FEET_OF_METRE) / 50) * 50 : Math.round(metres / 10) * 10;
    return `${formatNumber(small)}\u00A0${isMiles ? 'ft' : 'm'}`;
  };
}

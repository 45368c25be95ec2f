import { nearestTown } from '@highline/contract/towns';
import { useCallback } from 'react';
import { useLanguage } from '../../ui/language.ts';
import { coordinates } from './coverage.ts';

/** Names a place by its coordinates and the next town. */
export function usePlaceName(): (place: { readonly latitude: number; readonly longitude: number }) => string {
  const language = useLanguage();
  return useCallback(
    ({ latitude, longitude }) => {
      const town = nearestTown(latitude, longitude)?.town;
      const place = coordinates(latitude, longitude);
      if (town === undefined) return place;
      return `${place} · ${language === 'zh-TW' ? (town.chinese ?? town.name) : town.name}`;
    },
    [language],
  );
}

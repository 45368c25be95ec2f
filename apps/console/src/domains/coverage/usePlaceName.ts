import { useCallback } from 'react';
import { useLanguage } from '../../ui/language.ts';
import { coordinates, townNear } from './coverage.ts';

/** Names a place by its coordinates and the next town. */
export function usePlaceName(): (place: { readonly latitude: number; readonly longitude: number }) => string {
  const language = useLanguage();
  return useCallback(
    ({ latitude, longitude }) => {
      const town = townNear(latitude, longitude);
      const place = coordinates(latitude, longitude);
      if (town === undefined) return place;
      return `${place} · ${language === 'zh-TW' ? (town.chinese ?? town.name) : town.name}`;
    },
    [language],
  );
}

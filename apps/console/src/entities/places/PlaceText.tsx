import type { places } from '@highline/contract';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { useDistanceText } from '../../ui/units.ts';
import { placeQuery } from './places.api.ts';

export interface Coordinates {
  readonly latitude: number;
  readonly longitude: number;
}

/** Decimals of coordinates that stand for a place: about ten metres. */
const DECIMALS = 4;

/** A place as text in the language of the page: the street, and where it is from the nearest geofence or town. */
export function usePlaceTexts(): (place: places.Place) => readonly string[] {
  const { t, i18n } = useTranslation();
  const distanceText = useDistanceText();
  const nearText = ({ kind, name: local, chinese, metres, direction }: NonNullable<places.Place['near']>) => {
    const name = i18n.language === 'zh-TW' ? (chinese ?? local) : local;
    if (metres === 0) return kind === 'town' ? name : t('places.near.inside', { name });
    return t('places.near.outside', { name, distance: distanceText(metres), direction: t(`places.direction.${direction}`) });
  };
  return ({ street, crossing, near }) => [
    ...(street === null ? [] : [crossing === null ? street : t('places.near.crossing', { street, crossing })]),
    ...(near === null ? [] : [nearText(near)]),
  ];
}

/** What is known of a place, from its street on, with its coordinates at the end; '' of none. */
function usePlaceLines(place: Coordinates | null): readonly string[] {
  const { data } = useQuery({ ...placeQuery(place?.latitude ?? 0, place?.longitude ?? 0), enabled: place !== null });
  const texts = usePlaceTexts();
  if (place === null) return [''];
  return [...(data ? texts(data) : []), `${place.latitude.toFixed(DECIMALS)}, ${place.longitude.toFixed(DECIMALS)}`];
}

/** A place within a sentence: the street, else what it is near to, else its coordinates; '' of none. */
export const usePlaceLabel = (place: Coordinates | null): string => usePlaceLines(place)[0]!;

/** A place in one cell of a list, with all that is known of it as its title (SAY-07). */
export function PlaceText(place: Coordinates): ReactNode {
  const lines = usePlaceLines(place);
  return <span title={lines.join('\n')}>{lines[0]}</span>;
}

import type { places } from '@highline/contract';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { Copyable } from '../../ui/CopyButton.tsx';
import { useDistanceText } from '../../ui/distance.ts';
import { mapAppAddress } from './map-app.ts';
import { placeQuery } from './places.api.ts';

/** A place as text in the language of the page: the street, and where it is from the nearest geofence or town. */
function usePlaceTexts(): (place: places.Place) => readonly string[] {
  const { t, i18n } = useTranslation();
  const distanceText = useDistanceText();
  const nearText = ({ kind, name: local, chinese, metres, direction }: NonNullable<places.Place['near']>) => {
    const name = i18n.language === 'zh-TW' ? (chinese ?? local) : local;
    if (metres === 0) return kind === 'town' ? name : t('positions.near.inside', { name });
    return t('positions.near.outside', {
      name,
      distance: distanceText(metres),
      direction: t(`positions.direction.${direction}`),
    });
  };
  return ({ street, crossing, near }) => [
    ...(street === null ? [] : [crossing === null ? street : t('positions.near.crossing', { street, crossing })]),
    ...(near === null ? [] : [nearText(near)]),
  ];
}

/** The description of a place, which can be copied with its coordinates, and a way to the person's own map (SAY-07). */
export function PlaceName({ latitude, longitude }: { latitude: number; longitude: number }): ReactNode {
  const { t } = useTranslation();
  const { data } = useQuery(placeQuery(latitude, longitude));
  const texts = usePlaceTexts();
  const [first, ...more] = data ? texts(data) : [];
  const coordinates = `${latitude.toFixed(5)}, ${longitude.toFixed(5)}`;
  return (
    <span className="place-name">
      {first !== undefined && (
        <Copyable text={[first, ...more, coordinates].join(', ')} label={t('positions.fact.placeName')}>
          {first}
        </Copyable>
      )}
      {more.map((text) => (
        <span key={text} className="dim">
          {text}
        </span>
      ))}
      <a href={mapAppAddress(latitude, longitude, navigator.userAgent)} target="_blank" rel="noreferrer">
        {t('positions.mapApp')}
      </a>
    </span>
  );
}

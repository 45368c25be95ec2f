import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { Copyable } from '../../ui/CopyButton.tsx';
import { mapAppAddress } from './map-app.ts';
import { placeQuery } from '../../entities/places/places.api.ts';
import { usePlaceTexts } from '../../entities/places/PlaceText.tsx';

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

interface Place {
  readonly latitude: number;
  readonly longitude: number;
}

/** A place as a part of an address, to about 100 m: `41.976,-87.689`. */
export const formatPlace = ({ latitude, longitude }: Place): string => `${latitude.toFixed(3)},${longitude.toFixed(3)}`;

/** The place that a part of an address names; undefined if it names none. */
export function parsePlace(text: string | undefined): Place | undefined {
  const [, latitude = NaN, longitude = NaN] = (/^(-?[\d.]{1,9}),(-?[\d.]{1,9})$/u.exec(text ?? '') ?? []).map(Number);
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { latitude, longitude } : undefined;
}

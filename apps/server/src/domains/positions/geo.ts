const EARTH_DIAMETER_KM = 12_742;

/** Degrees, WGS 84. */
export interface Coordinates {
  readonly latitude: number;
  readonly longitude: number;
}

/** Kilometres along a great circle. */
export function distanceKm(a: Coordinates, b: Coordinates): number {
  const radians = (degrees: number) => (degrees * Math.PI) / 180;
  const half = (one: number, other: number) => Math.sin(radians(one - other) / 2) ** 2;
  const cosines = Math.cos(radians(a.latitude)) * Math.cos(radians(b.latitude));
  const chord = half(a.latitude, b.latitude) + cosines * half(a.longitude, b.longitude);
  return EARTH_DIAMETER_KM * Math.asin(Math.min(1, Math.sqrt(chord)));
}

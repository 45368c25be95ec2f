/** The address that opens a place in the map of the person's device: the chosen app on a phone, a page elsewhere. */
export function mapAppAddress(latitude: number, longitude: number, userAgent: string): string {
  const [at, north, east] = [`${latitude},${longitude}`, latitude, longitude];
  if (userAgent.includes('Android')) return `geo:${at}?q=${at}`;
  if (/iPhone|iPad|Macintosh/u.test(userAgent)) return `https://maps.apple.com/?ll=${at}&q=${at}`;
  return `https://www.openstreetmap.org/?mlat=${north}&mlon=${east}#map=17/${north}/${east}`;
}

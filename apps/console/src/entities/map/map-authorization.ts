let authorization: string | undefined;

/** How the map's settings and tiles are requested on a page without a session: with the token of a link (RPM-06). */
export function authorizeMap(text: string): void {
  authorization = text;
}

/** Headers of requests for the operator's map. */
export function mapHeaders(): Headers {
  return new Headers(authorization === undefined ? {} : { authorization });
}

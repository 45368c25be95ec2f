/** A parsed USP endpoint id (TR-369 "Endpoint Identifier"): `scheme:authority:instance`, the instance unescaped. */
export type EndpointId = { scheme: EndpointScheme; authority: string; instance: string };

export const ENDPOINT_SCHEMES = [
  'oui', 'cid', 'pen', 'self', 'user', 'os', 'ops', 'uuid', 'imei', 'proto', 'doc', 'fqdn',
] as const; // prettier-ignore
export type EndpointScheme = (typeof ENDPOINT_SCHEMES)[number];

/** Schemes whose instance is unique by itself, so that the authority must be empty. */
const WITHOUT_AUTHORITY: ReadonlySet<string> = new Set(['os', 'ops', 'uuid', 'imei']);
const MAX_INSTANCE_LENGTH = 50;
const PLAIN_CHARACTER = /^[A-Za-z0-9._-]$/;
const INSTANCE = /^(?:[A-Za-z0-9._-]|%[0-9A-Fa-f]{2})+$/;
const AUTHORITY = /^[A-Za-z0-9._-]*$/;

/**
 * Format an endpoint id, escaping characters not allowed in the instance as %XX of their UTF-8 bytes.
 * @throws RangeError when the result would not be a valid endpoint id (empty or over 50 characters, wrong authority)
 */
export function formatEndpointId(id: EndpointId): string {
  const text = `${id.scheme}:${id.authority}:${escapeInstance(id.instance)}`;
  if (!parseEndpointId(text)) throw new RangeError('not a valid USP endpoint id');
  return text;
}

/** Parse an endpoint id; undefined when it breaks a rule of TR-369 "Endpoint Identifier". */
export function parseEndpointId(text: string): EndpointId | undefined {
  const [scheme, authority, instance, ...rest] = text.split(':');
  if (scheme === undefined || authority === undefined || instance === undefined || rest.length > 0) return undefined;
  if (!isScheme(scheme) || !isAuthority(scheme, authority)) return undefined;
  const unescaped = unescapeInstance(instance);
  return unescaped === undefined ? undefined : { scheme, authority, instance: unescaped };
}

/** The `os` id of a router, `os::<OUI>-<serial>`. OUI = 6 hex digits, written in capitals. @throws RangeError as formatEndpointId */
export function routerEndpointId(oui: string, serial: string): string {
  return formatEndpointId({ scheme: 'os', authority: '', instance: `${oui.toUpperCase()}-${serial}` });
}

function isScheme(text: string): text is EndpointScheme {
  return (ENDPOINT_SCHEMES as readonly string[]).includes(text);
}

function isAuthority(scheme: EndpointScheme, authority: string): boolean {
  return WITHOUT_AUTHORITY.has(scheme) ? authority === '' : AUTHORITY.test(authority);
}

function escapeInstance(instance: string): string {
  let text = '';
  for (const character of instance) {
    text += PLAIN_CHARACTER.test(character) ? character : escapeCharacter(character);
  }
  return text;
}

function escapeCharacter(character: string): string {
  const bytes = new TextEncoder().encode(character);
  return Array.from(bytes, (byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('');
}

function unescapeInstance(instance: string): string | undefined {
  if (instance.length > MAX_INSTANCE_LENGTH || !INSTANCE.test(instance)) return undefined;
  try {
    return decodeURIComponent(instance);
  } catch {
    return undefined; // %XX that is not UTF-8
  }
}

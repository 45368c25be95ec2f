/** What an activation code says: where a profile waits, and under which name (SGP.22 4.1). */
export type ActivationCode = {
  /** As it is stored and sent on: without 'LPA:' and blanks around it. */
  text: string;
  /** Fully qualified name of the SM-DP+ server, lower case. */
  host: string;
  /** May be empty: then the server knows by the EID which profile is meant. */
  matchingId: string;
  /** Object identifier of the server; empty = not given. */
  oid: string;
  /** Whoever downloads it has to give a confirmation code as well. */
  needsConfirmation: boolean;
};

/** Stands where an activation code would, and means the profile that came with the router. */
export const PRELOADED_CODE = 'preload';

const MAX_CODE = 255;
const HOST = /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/i;
const OID = /^\d+(\.\d+)+$/;

/** Is the profile meant that came with the router? Both `preload` and `pre` say so. */
export function isPreloadedCode(text: string): boolean {
  return /^pre(load)?$/i.test(text.trim());
}

/** Reads an activation code; undefined when it is none. `preload` is none either: ask `isPreloadedCode` first. */
export function parseActivationCode(given: string): ActivationCode | undefined {
  const text = given.trim().replace(/^LPA:/i, '');
  if (given.trim().length > MAX_CODE) return undefined;
  const [format, host = '', matchingId, oid = '', confirmation = '', ...rest] = text.split('$');
  if (format !== '1' || matchingId === undefined || rest.length > 0) return undefined;
  if (!HOST.test(host) || !/^[A-Za-z0-9-]*$/.test(matchingId)) return undefined;
  if ((oid !== '' && !OID.test(oid)) || !['', '1'].includes(confirmation)) return undefined;
  return { text, host: host.toLowerCase(), matchingId, oid, needsConfirmation: confirmation === '1' };
}

/** A parsed activation code: the server of a profile, and its name there (SGP.22 4.1). */
export type ActivationCode = {
  /** Stored form: without 'LPA:' and surrounding blanks. */
  text: string;
  /** Fully qualified name of the SM-DP+ server, lower case. */
  host: string;
  /** May be empty: then the server identifies the profile by the EID. */
  matchingId: string;
  /** Object identifier of the server; empty = not given. */
  oid: string;
  /** The download requires a confirmation code as well. */
  needsConfirmation: boolean;
};

/** Replaces an activation code for the preloaded profile. */
export const PRELOADED_CODE = 'preload';

const MAX_CODE = 255;
const HOST = /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/i;
const OID = /^\d+(\.\d+)+$/;

/** Whether the preloaded profile is meant: `preload` or `pre`. */
export function isPreloadedCode(text: string): boolean {
  return /^pre(load)?$/i.test(text.trim());
}

/** Parse an activation code; undefined when it is invalid. `preload` is invalid too: check `isPreloadedCode` first. */
export function parseActivationCode(given: string): ActivationCode | undefined {
  const text = given.trim().replace(/^LPA:/i, '');
  if (given.trim().length > MAX_CODE) return undefined;
  const [format, host = '', matchingId, oid = '', confirmation = '', ...rest] = text.split('$');
  if (format !== '1' || matchingId === undefined || rest.length > 0) return undefined;
  if (!HOST.test(host) || !/^[A-Za-z0-9-]*$/.test(matchingId)) return undefined;
  if ((oid !== '' && !OID.test(oid)) || !['', '1'].includes(confirmation)) return undefined;
  return { text, host: host.toLowerCase(), matchingId, oid, needsConfirmation: confirmation === '1' };
}

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
const FURTHER = /^[A-Za-z0-9.,:;_-]*$/;
const OID = /^\d+(\.\d+)+$/;

/** Whether the preloaded profile is meant: `preload` or `pre`. */
export function isPreloadedCode(text: string): boolean {
  return /^pre(load)?$/i.test(text.trim());
}

/**
 * Parse an activation code; undefined when it is invalid. `preload` is invalid too: check `isPreloadedCode` first. What programs change
 * in a copied code is put right: other dashes, blanks around it and behind `LPA:`, a dot behind the host, characters that cannot be seen.
 * Fields behind the fifth (SGP.22 version 3 and later) are kept as they are.
 */
export function parseActivationCode(given: string): ActivationCode | undefined {
  const plain = given
    .replace(/[\p{Cf}\p{Cc}]/gu, '')
    .replace(/\p{Pd}|\u2212/gu, '-')
    .trim();
  if (plain.length > MAX_CODE) return undefined;
  const [format, typedHost = '', matchingId, oid = '', confirmation = '', ...more] = plain.replace(/^LPA:\s*/i, '').split('$');
  const host = typedHost.replace(/\.$/, '');
  if (format !== '1' || matchingId === undefined) return undefined;
  if (!HOST.test(host) || !/^[A-Za-z0-9-]*$/.test(matchingId)) return undefined;
  if ((oid !== '' && !OID.test(oid)) || !['', '1'].includes(confirmation)) return undefined;
  if (!more.every((field) => FURTHER.test(field))) return undefined;
  const text = [format, host, ...plain.split('$').slice(2)].join('$');
  return { text, host: host.toLowerCase(), matchingId, oid, needsConfirmation: confirmation === '1' };
}

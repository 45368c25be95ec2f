import { firstOf, type identityProviders, isEmail, tidyEmail, tidyName, tidyText } from '@highline/contract';
import type { ActiveProvider } from './providers.queries.ts';

/** Claims of an ID token, and of the UserInfo endpoint. */
export type Claims = Readonly<Record<string, unknown>>;

const LONGEST_NAME = 100;
/** Of a subject (OpenID Connect Core 1.0, 2). */
const LONGEST_ID = 255;

/** Whether a `sub` or `sid` can be stored and compared: well-formed, without NUL, and not longer than a subject may be. */
export function isStorableId(id: string): boolean {
  return id.length <= LONGEST_ID && id.isWellFormed() && !id.includes('\0');
}

/**
 * The first of a provider's rules that fits. A claim may be one value or a list; what is not in it does not fit. Values are compared in the
 * form in which those of rules are stored.
 */
export function ruleFor(
  rules: readonly identityProviders.ProviderRule[],
  claims: Claims,
): identityProviders.ProviderRule | undefined {
  const values = new Map<string, ReadonlySet<string>>();
  const valuesOf = (claim: string): ReadonlySet<string> => {
    const known =
      values.get(claim) ??
      new Set(
        [claims[claim]]
          .flat()
          .filter((value) => ['string', 'number', 'boolean'].includes(typeof value))
          .map((value) => tidyText(String(value))),
      );
    values.set(claim, known);
    return known;
  };
  return rules.find(({ claim, value }) => valuesOf(claim).has(value));
}

/**
 * The address of a person, in lower case; undefined if it is not verified, or of a domain that is not confirmed for the provider.
 * Microsoft Entra ID sends no `email_verified`, and for accounts without a mailbox only `preferred_username`.
 */
export function emailOf(
  claims: Claims,
  { trusts_email: trusts, domains }: Pick<ActiveProvider, 'trusts_email' | 'domains'>,
): string | undefined {
  const { email, email_verified: verified, preferred_username: username } = claims;
  const isVerified = verified === true || verified === 'true' || (trusts && (verified === undefined || verified === null));
  const typed = email ?? (trusts ? username : undefined);
  if (!isVerified || typeof typed !== 'string' || !isEmail(typed)) return undefined;
  const tidy = tidyEmail(typed);
  return domains.includes(tidy.slice(tidy.lastIndexOf('@') + 1)) ? tidy : undefined;
}

/** The name of a person in its stored form; the address before the @ if there is none. */
export function nameOf(claims: Claims, email: string): string {
  const { name, given_name: given, family_name: family } = claims;
  const parts = [given, family].filter((part) => typeof part === 'string');
  const typed = typeof name === 'string' && name.trim() !== '' ? name : parts.join(' ');
  const tidy = tidyName(
    typed
      .slice(0, LONGEST_NAME * 4)
      // oxlint-disable-next-line no-control-regex -- a name is one line
      .replaceAll(/[\p{C}\s]+/gu, ' ')
      .toWellFormed(),
  );
  return firstOf(tidy === '' ? email.slice(0, email.indexOf('@')) : tidy, LONGEST_NAME).trim();
}

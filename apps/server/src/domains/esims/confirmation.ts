import type { ActivationCode } from '@highline/usp';

/**
 * The confirmation code for an activation code, as it is stored (SGP.22 4.1). A given one is stored even if the activation code
 * does not require it: the operator's server may.
 * @returns null = none; undefined = the activation code needs one, and it is missing
 */
export function confirmationOf({ needsConfirmation }: ActivationCode, given: string | undefined): string | null | undefined {
  const text = (given ?? '').trim();
  if (text !== '') return text;
  return needsConfirmation ? undefined : null;
}

import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common';

/** Only the beginning of a longer password is rated: the work grows steeply with the length. */
const MAX_CHARACTERS = 32;
/** How many replacements such as `@` for `a` are tried; a text of such characters alone would otherwise take seconds. */
const MAX_SUBSTITUTIONS = 8;
/** 2 = withstands a million guesses, more than the sign-in limits allow in years. */
const LEAST_SCORE = 2;

let estimator: ZxcvbnFactory | undefined;

/** Whether a password is among the first million guesses of an attacker who knows the account's e-mail address. */
export function isGuessable(password: string, email: string): boolean {
  // The word lists take a tenth of a second to unpack, and most starts of a server see no new password.
  estimator ??= new ZxcvbnFactory({
    dictionary,
    graphs: adjacencyGraphs,
    maxLength: MAX_CHARACTERS,
    l33tMaxSubstitutions: MAX_SUBSTITUTIONS,
  });
  return (
    estimator.check(password.slice(0, MAX_CHARACTERS), [email, email.split('@')[0] ?? '', ...email.split(/[@.]/u), 'highline'])
      .score < LEAST_SCORE
  );
}

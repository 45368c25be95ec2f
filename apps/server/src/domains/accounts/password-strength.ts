import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common';

/** Longer passwords are judged by their beginning: the work grows steeply with the length. */
const MAX_CHARACTERS = 32;
/** Replacements such as `@` for `a` that are tried; a text made of such characters alone would else take seconds. */
const MAX_SUBSTITUTIONS = 8;
/** 2 = withstands a million guesses, more than the limits of sign-ins allow in years. */
const LEAST_SCORE = 2;

let estimator: ZxcvbnFactory | undefined;

/** Whether a password is among the first million that a guesser would try, who knows the e-mail address of the account. */
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

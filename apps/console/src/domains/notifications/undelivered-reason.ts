/** Why an email could not be delivered, as far as a user can act on it. */
export type UndeliveredReason = 'noMailbox' | 'full' | 'rejected' | 'unreachable' | 'signIn' | 'busy' | 'other';

/** Enhanced codes (RFC 3463) are more precise than the plain ones of RFC 5321, so they are checked first. */
const patterns: readonly (readonly [RegExp, UndeliveredReason])[] = [
  [/\b[45]\.2\.2\b/u, 'full'],
  [/\b[45]\.1\.[0-3]\b/u, 'noMailbox'],
  [/\b[45]\.7\.\d+\b/u, 'rejected'],
  [/\b[45]52\b|mailbox (?:is )?full|over quota/iu, 'full'],
  [/\b55[013]\b|no such (?:user|mailbox)|user unknown/iu, 'noMailbox'],
  [/\b53[0458]\b|\bEAUTH\b/u, 'signIn'],
  [/\b5\d\d\b/u, 'rejected'],
  [/\b4[25]\d\b/u, 'busy'],
  [/ECONN|ENOTFOUND|EDNS|ETIMEDOUT|ESOCKET|EHOST|ENET|time[d ]?out|greeting|closed/iu, 'unreachable'],
];

/** Parse the mail server's last response. */
export function reasonOf(response: string): UndeliveredReason {
  return patterns.find(([pattern]) => pattern.test(response))?.[1] ?? 'other';
}

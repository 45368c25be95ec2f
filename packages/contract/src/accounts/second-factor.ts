import { z } from 'zod';
import { limited } from '../conventions.ts';
import { tidyEmail } from '../email.ts';
import { everyRole, managers, operation } from '../operation.ts';

// A second factor in addition to the password: codes of an authenticator app (RFC 6238: SHA-1, six digits, 30 s), and recovery
// codes.

const path = '/dmp_aa/api/v1/auth/second-factor';
const password = z.string().min(1).max(1_000);
/** Of the person who acts; empty after another sign-in by the identity provider (`identityProviders.beginConfirmation`). */
const ownPassword = z.string().max(1_000);

/** A code of the app, or a recovery code; spaces and hyphens are ignored. */
export const oneTimeCode = z.string().max(40);

export const getSecondFactor = operation({
  id: 'secondFactor.get',
  method: 'GET',
  path,
  summary: "Whether the caller's account requires a second factor.",
  scope: 'account',
  roles: everyRole,
  response: z.object({
    result: z.object({
      enabled: z.boolean(),
      /** Epoch seconds; null while there is none. */
      since: z.number().nullable(),
      /** Recovery codes that were not used yet. */
      recoveryCodes: z.number().int(),
    }),
  }),
});

export const beginSecondFactor = operation({
  id: 'secondFactor.begin',
  hasSecret: true,
  method: 'POST',
  path,
  summary: 'Create a secret for an authenticator app; codes are required only after a first one was confirmed.',
  scope: 'account',
  roles: everyRole,
  body: z.object({ password: ownPassword }),
  response: z.object({
    result: z.object({
      /** `otpauth://totp/…`, for a QR code. */
      uri: z.string(),
      /** The same secret in base32, to type it. */
      secret: z.string(),
    }),
  }),
});

export const confirmSecondFactor = operation({
  id: 'secondFactor.confirm',
  hasSecret: true,
  method: 'POST',
  path: `${path}/confirm`,
  summary: 'Turn the second factor on with a first code; answers the recovery codes, only once.',
  scope: 'account',
  roles: everyRole,
  body: z.object({ code: oneTimeCode }),
  response: z.object({ result: z.object({ recoveryCodes: z.array(z.string()) }) }),
});

export const endSecondFactor = operation({
  id: 'secondFactor.end',
  method: 'DELETE',
  path,
  summary: 'Turn the second factor off, with the password and a code.',
  scope: 'account',
  roles: everyRole,
  body: z.object({ password: ownPassword, code: oneTimeCode }),
  response: z.object({ result: z.object({ ended: z.number() }) }),
});

export const resetSecondFactor = operation({
  id: 'secondFactor.reset',
  method: 'DELETE',
  path: '/dmp_aa/api/v1/accounts/{id}/second-factor',
  summary: "Turn off a colleague's second factor, whose phone and recovery codes are lost.",
  scope: 'account',
  roles: managers,
  params: z.object({ id: z.string() }),
  response: z.object({ result: z.object({ ended: z.number() }) }),
});

const atSignIn = z.object({ email: limited(320, tidyEmail).min(1), password });

export const beginAtSignIn = operation({
  id: 'secondFactor.beginAtSignIn',
  hasSecret: true,
  method: 'POST',
  path: `${path}/sign-in`,
  summary:
    'Create a secret for an authenticator app with e-mail and password, where the company requires a second factor (IAM-06).',
  scope: 'public',
  roles: [],
  body: atSignIn,
  response: beginSecondFactor.response,
});

export const confirmAtSignIn = operation({
  id: 'secondFactor.confirmAtSignIn',
  hasSecret: true,
  method: 'POST',
  path: `${path}/sign-in/confirm`,
  summary: 'Turn that second factor on with a first code, and sign in; answers the recovery codes, only once (IAM-06).',
  scope: 'public',
  roles: [],
  body: atSignIn.extend({ code: oneTimeCode }),
  response: z.object({ result: z.object({ id: z.string(), vap: z.string(), recoveryCodes: z.array(z.string()) }) }),
});

export const schemaNames = { SecondFactorSecretAnswer: beginSecondFactor.response };

import { z } from 'zod';
import { deletion, typedName } from '../conventions.ts';
import { everyRole, operation } from '../operation.ts';

// Passkeys (WebAuthn Level 3): in place of password and second factor, or as the second factor after the password (IAM-06).

export const MOST_PASSKEYS = 10;
const path = '/dmp_aa/api/v1/auth/passkeys';
const encoded = (most: number) => z.string().max(most);
/** Of the person who acts; empty after another sign-in by the identity provider (`identityProviders.beginConfirmation`). */
const password = z.string().max(1_000);

/** `PublicKeyCredentialRequestOptionsJSON`. Authenticators find the passkey themselves, so that no address is needed. */
const requestOptions = z.object({
  challenge: z.string(),
  rpId: z.string(),
  timeout: z.number(),
  userVerification: z.string(),
});

/** `PublicKeyCredentialCreationOptionsJSON`. */
const creationOptions = z.object({
  challenge: z.string(),
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  pubKeyCredParams: z.array(z.object({ type: z.string(), alg: z.number() })),
  timeout: z.number(),
  attestation: z.string(),
  excludeCredentials: z.array(z.object({ id: z.string(), type: z.string(), transports: z.array(z.string()) })),
  authenticatorSelection: z.object({ residentKey: z.string(), requireResidentKey: z.boolean(), userVerification: z.string() }),
});

/** `AuthenticationResponseJSON`. */
export const assertion = z.object({
  id: encoded(1_400),
  rawId: encoded(1_400),
  type: z.literal('public-key'),
  authenticatorAttachment: z.string().max(40).optional(),
  clientExtensionResults: z.object({}),
  response: z.object({
    clientDataJSON: encoded(4_000),
    authenticatorData: encoded(4_000),
    signature: encoded(2_000),
    userHandle: encoded(200).optional(),
  }),
});
export type Assertion = z.infer<typeof assertion>;

/** `RegistrationResponseJSON`. */
export const attestation = z.object({
  id: encoded(1_400),
  rawId: encoded(1_400),
  type: z.literal('public-key'),
  authenticatorAttachment: z.string().max(40).optional(),
  clientExtensionResults: z.object({}),
  response: z.object({
    clientDataJSON: encoded(4_000),
    attestationObject: encoded(20_000),
    transports: z.array(z.string().max(20)).max(10).optional(),
  }),
});
export type Attestation = z.infer<typeof attestation>;

export const passkey = z.object({
  id: z.string(),
  name: z.string(),
  /** Kept by its provider for more than one device. */
  synced: z.boolean(),
  /** Epoch seconds. */
  created: z.number(),
  /** Epoch seconds; null = never. */
  lastUsed: z.number().nullable(),
});
export type Passkey = z.infer<typeof passkey>;

export const listPasskeys = operation({
  id: 'accounts.listPasskeys',
  method: 'GET',
  path,
  summary: "The account's own passkeys, the newest first; never more than 10 (IAM-06).",
  scope: 'account',
  roles: everyRole,
  response: z.object({ result: z.object({ list: z.array(passkey) }) }),
});

export const beginPasskey = operation({
  id: 'accounts.beginPasskey',
  method: 'POST',
  path: `${path}/begin`,
  summary: 'Options to create a passkey of the own account, with the password (IAM-06).',
  scope: 'account',
  roles: everyRole,
  body: z.object({ password }),
  response: z.object({ result: creationOptions }),
});

export const addPasskey = operation({
  id: 'accounts.addPasskey',
  method: 'POST',
  path,
  summary: 'Add a passkey that was created with these options, once and within five minutes (IAM-06).',
  scope: 'account',
  roles: everyRole,
  body: z.object({ name: typedName(60).min(1), credential: attestation }),
  response: z.object({ result: passkey }),
});

export const deletePasskey = operation({
  id: 'accounts.deletePasskey',
  method: 'DELETE',
  path: `${path}/{passkey}`,
  summary: 'Remove a passkey of the own account. The last second factor stays where the company requires one (IAM-06).',
  scope: 'account',
  roles: everyRole,
  params: z.object({ passkey: z.string().max(60) }),
  response: deletion,
});

export const beginPasskeySignIn = operation({
  id: 'accounts.beginPasskeySignIn',
  method: 'POST',
  path: '/dmp_aa/api/v1/auth/passkey/begin',
  summary: 'Options to sign in with a passkey, or to use one as second factor (IAM-06).',
  scope: 'public',
  roles: [],
  response: z.object({ result: requestOptions }),
});

export const passkeySignIn = operation({
  id: 'accounts.passkeySignIn',
  method: 'POST',
  path: '/dmp_aa/api/v1/auth/passkey',
  summary: 'Sign in with a passkey, once and within five minutes after its options; answers as accounts.signIn (IAM-06).',
  scope: 'public',
  roles: [],
  body: z.object({ credential: assertion }),
  response: z.object({ result: z.object({ id: z.string(), vap: z.string() }) }),
});

export const schemaNames = {
  OwnPassword: beginPasskey.body,
  Passkey: passkey,
  PasskeyAssertion: assertion,
  SignInAnswer: passkeySignIn.response,
};

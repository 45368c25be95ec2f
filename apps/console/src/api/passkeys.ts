import { passkeys } from '@highline/contract';
import { call } from './client.ts';

/** Browsers know passkeys on hosts with a name only, over https or on this machine. */
export const canUsePasskeys = (): boolean =>
  typeof PublicKeyCredential === 'function' && window.isSecureContext && !/^[\d.]+$|^\[/u.test(location.hostname);

const load = () => import('@simplewebauthn/browser');

/** Whether the person or the browser cancelled, or found no passkey: both are reported alike. */
export const isCancelled = (error: unknown): boolean =>
  error instanceof Error && ['NotAllowedError', 'AbortError'].includes(error.name);

/** Whether the authenticator already has a passkey of this account. */
export const isKnownPasskey = (error: unknown): boolean => error instanceof Error && error.name === 'InvalidStateError';

/** Ask the browser for a passkey. @throws Error with `isCancelled`, ApiError */
export async function askForPasskey(): Promise<passkeys.Assertion> {
  const [{ startAuthentication }, { result }] = await Promise.all([load(), call(passkeys.beginPasskeySignIn, { body: {} })]);
  const { id, rawId, type, response } = await startAuthentication({
    optionsJSON: { ...result, userVerification: 'required' },
  });
  const { clientDataJSON, authenticatorData, signature, userHandle } = response;
  const answer = { clientDataJSON, authenticatorData, signature, ...(userHandle !== undefined && { userHandle }) };
  return { id, rawId, type, clientExtensionResults: {}, response: answer };
}

/** Create a passkey of the own account. @throws Error with `isCancelled`, `isKnownPasskey`, ApiError `account.wrong_password` */
export async function createPasskey(name: string, password: string): Promise<passkeys.Passkey> {
  const [{ startRegistration }, { result }] = await Promise.all([load(), call(passkeys.beginPasskey, { body: { password } })]);
  const created = await startRegistration({ optionsJSON: result as Parameters<typeof startRegistration>[0]['optionsJSON'] });
  const { clientDataJSON, attestationObject, transports } = created.response;
  const credential = {
    id: created.id,
    rawId: created.rawId,
    type: created.type,
    clientExtensionResults: {},
    response: { clientDataJSON, attestationObject, ...(transports !== undefined && { transports }) },
  };
  return (await call(passkeys.addPasskey, { body: { name, credential } })).result;
}

import { createHash } from 'node:crypto';
import { isIP } from 'node:net';
import { passkeys } from '@highline/contract';
import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import {
  createSealing,
  DomainError,
  isId,
  newId,
  openedOrNone,
  required,
  type Actor,
  type MasterKey,
  type Sealing,
} from '../../kernel/index.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import type { Tx } from '../../platform/ports/database.ts';
import { sentence } from '../logs/index.ts';
import { enqueueMail } from '../mails/index.ts';
import { homeOf, personOf, recordOwn } from './account.audit.ts';
import { findLanguage, lockById, type AccountRow } from './accounts.store.ts';
import {
  deletePasskeyOf,
  findPasskey,
  findPasskeysOf,
  lockOwner,
  lockPasskey,
  takeChallenge,
  tryInsertPasskey,
  updateUse,
  type FoundPasskey,
  type PasskeyRow,
} from './passkeys.store.ts';
import { addHits, addressKeyOf, countTry, limits } from './rate-limit.ts';
import { signInMail } from './sign-in-mails.ts';
import { findSignInRules, hasOtherFactor } from './sign-in-policy.queries.ts';

/** How long a person may take with an authenticator. */
const CHALLENGE_MS = 5 * 60_000;
const EXPIRY_BYTES = 8;
/** ES256, EdDSA and RS256 of COSE: every authenticator knows one of them. */
const ALGORITHMS = [-7, -8, -257];

export interface PasskeyDeps extends Pick<Deps, 'database' | 'clock'> {
  /** Seals challenges: an answer to one is to what we sent, for this purpose, some minutes ago. */
  readonly challenges: Sealing;
  /** @throws DomainError `account.wrong_password`, `account.too_many_tries` */
  readonly checkPassword: (actor: Actor, password: string) => Promise<void>;
  /** A copied passkey was used. */
  readonly warn: (passkey: string) => void;
}

/** @param masterKey 32 bytes */
export const createChallengeSealing = (masterKey: MasterKey): Sealing =>
  createSealing(masterKey, 'highline passkey challenges 1');

/** A passkey that answered a challenge; the transaction that uses it checks it again. */
export interface ProvenPasskey {
  readonly passkey: FoundPasskey;
  readonly challenge: string;
  readonly counter: number;
  readonly isSynced: boolean;
}

export type Passkeys = ReturnType<typeof createPasskeys>;

/** The options with which a browser makes a passkey for a person. */
async function beginAdding(deps: PasskeyDeps, actor: Actor, password: string, origin: string) {
  const { database, checkPassword } = deps;
  const { rpId: rpID } = siteOf(origin);
  await checkPassword(actor, password);
  const known = await findPasskeysOf(database.read, actor, actor.accountId);
  if (known.length >= passkeys.MOST_PASSKEYS) throw new DomainError('passkey.too_many');
  const options = await generateRegistrationOptions({
    rpName: 'Highline',
    rpID,
    userID: new Uint8Array(Buffer.from(actor.accountId)),
    userName: actor.email,
    userDisplayName: actor.name,
    challenge: new Uint8Array(newChallenge(deps, addingTo(actor.accountId))),
    timeout: CHALLENGE_MS,
    attestationType: 'none',
    supportedAlgorithmIDs: ALGORITHMS,
    excludeCredentials: known.map(({ credential_id: id, transports }) => ({ id, transports: [...transports] })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
  const { challenge, rp, user, pubKeyCredParams, timeout = CHALLENGE_MS, attestation = 'none' } = options;
  return {
    challenge,
    rp: { id: rpID, name: rp.name },
    user,
    pubKeyCredParams,
    timeout,
    attestation,
    excludeCredentials: known.map(({ credential_id: id, transports }) => ({
      id,
      type: 'public-key',
      transports: [...transports],
    })),
    authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
  };
}

/** A person's passkeys, and what they prove (WebAuthn Level 3; IAM-06). */
export function createPasskeys(deps: PasskeyDeps) {
  const { database, clock } = deps;

  return {
    listPasskeys: async (actor: Actor): Promise<passkeys.Passkey[]> =>
      (await findPasskeysOf(database.read, actor, actor.accountId)).map(toPasskeyDto),

    /** @throws DomainError `account.wrong_password`, `passkey.too_many`, `passkey.no_host` */
    beginPasskey: (actor: Actor, password: string, origin: string) => beginAdding(deps, actor, password, origin),

    /** @throws DomainError `passkey.invalid`, `passkey.too_many`, `passkey.exists`, `passkey.no_host` */
    async addPasskey(actor: Actor, name: string, credential: passkeys.Attestation, origin: string): Promise<passkeys.Passkey> {
      const { challenge, info } = await verifyAttestation(deps, actor.accountId, credential, origin);
      const row = await database.write(async (tx) => {
        const now = clock.now();
        await useChallenge(tx, challenge, now);
        if (!(await lockOwner(tx, actor, actor.accountId))) throw new DomainError('passkey.invalid');
        const known = await findPasskeysOf(tx, actor, actor.accountId);
        if (known.length >= passkeys.MOST_PASSKEYS) throw new DomainError('passkey.too_many');
        const added = await tryInsertPasskey(tx, actor, {
          id: newId(now.getTime()),
          account_id: actor.accountId,
          credential_id: info.credential.id,
          public_key: Buffer.from(info.credential.publicKey),
          counter: info.credential.counter,
          name,
          transports: credential.response.transports ?? [],
          is_synced: info.credentialBackedUp,
          created_at: now,
        });
        const passkey = required(added, 'passkey.exists');
        await recordOwn(tx, actor, sentence('passkey.added', name), { name, synced: passkey.is_synced }, now);
        await mailOwn(tx, actor, 'passkeyAdded', name, now);
        return passkey;
      });
      return toPasskeyDto(row);
    },

    /** @throws DomainError `passkey.not_found`, `account.factor_required` for the last second factor where one is needed */
    async deletePasskey(actor: Actor, id: string): Promise<void> {
      if (!isId(id)) throw new DomainError('passkey.not_found');
      await database.write(async (tx) => {
        const now = clock.now();
        await lockOwner(tx, actor, actor.accountId);
        const name = required(await deletePasskeyOf(tx, actor, actor.accountId, id), 'passkey.not_found');
        const rules = await findSignInRules(tx, homeOf(actor), actor);
        if (rules.needs_factor && !(await hasOtherFactor(tx, actor, actor.accountId, id)))
          throw new DomainError('account.factor_required');
        await recordOwn(tx, actor, sentence('passkey.removed', name), { name }, now);
        await mailOwn(tx, actor, 'passkeyRemoved', name, now);
      });
    },

    /** @throws DomainError `passkey.no_host`, `account.too_many_tries` */
    async beginPasskeySignIn(origin: string, address: string) {
      const { rpId } = siteOf(origin);
      await countTry(database, limits.passkeyAddress, addressKeyOf(address), clock.now());
      const { challenge } = await generateAuthenticationOptions({
        rpID: rpId,
        challenge: new Uint8Array(newChallenge(deps, SIGN_IN)),
        userVerification: 'required',
      });
      return { challenge, rpId, timeout: CHALLENGE_MS, userVerification: 'required' };
    },

    /**
     * Check what an authenticator signed.
     * @throws DomainError `passkey.invalid`, `passkey.no_host`, `account.too_many_tries`
     */
    async provePasskey(assertion: passkeys.Assertion, origin: string, address: string): Promise<ProvenPasskey> {
      await countTry(database, limits.passkeyAddress, addressKeyOf(address), clock.now());
      return verifyAssertion(deps, assertion, origin);
    },

    /**
     * Use a passkey and its challenge up, in the transaction of what it allows.
     * @throws DomainError `passkey.invalid`, `passkey.counter_fell`
     */
    async takePasskey(tx: Tx, { passkey, challenge, counter, isSynced }: ProvenPasskey): Promise<void> {
      const now = clock.now();
      const locked = required(await lockPasskey(tx, { mainAccountId: passkey.main_account_id }, passkey.id), 'passkey.invalid');
      await useChallenge(tx, challenge, now);
      // Authenticators that do not count always say 0.
      if ((counter > 0 || locked.counter > 0) && counter <= locked.counter) throw new DomainError('passkey.counter_fell');
      await updateUse(tx, { mainAccountId: passkey.main_account_id }, passkey.id, { counter, isSynced }, now);
    },

    /** Do what a passkey allows; one that was copied is noted, and its owner gets a mail. */
    async admitPasskey<T>({ passkey }: ProvenPasskey, account: AccountRow, address: string, work: () => Promise<T>): Promise<T> {
      try {
        return await work();
      } catch (error) {
        if (error instanceof DomainError && error.key === 'passkey.counter_fell')
          await noteCopied(deps, account, passkey, address);
        throw error;
      }
    },
  };
}

const SIGN_IN = 'sign-in';
const addingTo = (accountId: string) => `add ${accountId}`;

/** A challenge that says until when it counts; it is stored nowhere until it was answered (decisions/0150). */
function newChallenge({ challenges, clock }: PasskeyDeps, purpose: string): Buffer {
  const expiry = Buffer.alloc(EXPIRY_BYTES);
  expiry.writeBigUInt64BE(BigInt(clock.now().getTime() + CHALLENGE_MS));
  return challenges.seal(purpose, expiry);
}

function isOurs({ challenges, clock }: PasskeyDeps, purpose: string, challenge: string): boolean {
  const opened = openedOrNone(() => challenges.open(purpose, Buffer.from(challenge, 'base64url')));
  return opened !== undefined && opened.length === EXPIRY_BYTES && opened.readBigUInt64BE() > BigInt(clock.now().getTime());
}

/** @throws DomainError `passkey.invalid` for one that was answered before */
async function useChallenge(tx: Tx, challenge: string, now: Date): Promise<void> {
  const hash = createHash('sha256').update(Buffer.from(challenge, 'base64url')).digest();
  // Kept longer than it counts.
  const isFirst = await takeChallenge(tx, hash, new Date(now.getTime() + 2 * CHALLENGE_MS));
  if (!isFirst) throw new DomainError('passkey.invalid');
}

/** The console as browsers call it, and the host that passkeys belong to. @throws DomainError `passkey.no_host` */
function siteOf(address: string): { readonly origin: string; readonly rpId: string } {
  const { origin, hostname } = new URL(address);
  if (isIP(hostname) !== 0 || hostname.startsWith('[')) throw new DomainError('passkey.no_host');
  return { origin, rpId: hostname };
}

async function verifyAttestation(deps: PasskeyDeps, accountId: string, credential: passkeys.Attestation, origin: string) {
  const site = siteOf(origin);
  let challenge = '';
  const verified = await verifyRegistrationResponse({
    response: credential as Parameters<typeof verifyRegistrationResponse>[0]['response'],
    expectedChallenge(sent) {
      challenge = sent;
      return isOurs(deps, addingTo(accountId), sent);
    },
    expectedOrigin: site.origin,
    expectedRPID: site.rpId,
    requireUserVerification: true,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch(() => undefined);
  if (verified?.verified !== true || isFramed(credential.response.clientDataJSON)) throw new DomainError('passkey.invalid');
  return { challenge, info: verified.registrationInfo };
}

/** Whether a browser says that it signed within a page of another site, which could lead people into it. Our own frames are of this origin. */
function isFramed(clientData: string): boolean {
  const said = JSON.parse(Buffer.from(clientData, 'base64url').toString('utf8')) as { readonly crossOrigin?: unknown };
  return said.crossOrigin !== undefined && said.crossOrigin !== false;
}

async function verifyAssertion(deps: PasskeyDeps, assertion: passkeys.Assertion, origin: string): Promise<ProvenPasskey> {
  const site = siteOf(origin);
  const passkey = required(await findPasskey(deps.database.read, assertion.id), 'passkey.invalid');
  const { userHandle } = assertion.response;
  const isOwner = userHandle === undefined || Buffer.from(userHandle, 'base64url').toString() === passkey.account_id;
  if (!isOwner) throw new DomainError('passkey.invalid');
  let challenge = '';
  const verified = await verifyAuthenticationResponse({
    response: assertion as Parameters<typeof verifyAuthenticationResponse>[0]['response'],
    expectedChallenge(sent) {
      challenge = sent;
      return isOurs(deps, SIGN_IN, sent);
    },
    expectedOrigin: site.origin,
    expectedRPID: site.rpId,
    requireUserVerification: true,
    // Counters are compared under a lock, by `takePasskey`.
    credential: { id: passkey.credential_id, publicKey: new Uint8Array(passkey.public_key), counter: 0 },
  }).catch(() => undefined);
  if (verified?.verified !== true || isFramed(assertion.response.clientDataJSON)) throw new DomainError('passkey.invalid');
  const { newCounter: counter, credentialBackedUp: isSynced } = verified.authenticationInfo;
  return { passkey, challenge, counter, isSynced };
}

async function noteCopied(deps: PasskeyDeps, account: AccountRow, { id, name }: PasskeyRow, address: string): Promise<void> {
  const now = deps.clock.now();
  deps.warn(id);
  const { hits } = await addHits(deps.database, limits.copiedPasskey, id, 1, now);
  await deps.database.write(async (tx) => {
    const person = personOf(account, address);
    await recordOwn(tx, person, sentence('passkey.rejected', name), { name }, now);
    if (hits <= limits.copiedPasskey.hits) await mailOwn(tx, person, 'passkeyCopied', name, now);
  });
}

type Owner = Pick<Actor, 'accountId' | 'email' | 'mainAccountId' | 'organizationId'>;

async function mailOwn(
  tx: Tx,
  { accountId, email, mainAccountId, organizationId }: Owner,
  kind: Parameters<typeof signInMail>[0],
  what: string,
  now: Date,
): Promise<void> {
  const owner = await lockById(tx, { kind: 'main', mainAccountId }, accountId);
  const language = await findLanguage(tx, accountId);
  const mail = signInMail(kind, { language, name: owner?.name ?? '' }, what);
  await enqueueMail(tx, { to: email, ...mail, kind: 'account', organizationId }, now);
}

const seconds = (moment: Date) => Math.floor(moment.getTime() / 1000);

const toPasskeyDto = (row: PasskeyRow): passkeys.Passkey => ({
  id: row.id,
  name: row.name,
  synced: row.is_synced,
  created: seconds(row.created_at),
  lastUsed: row.last_used_at === null ? null : seconds(row.last_used_at),
});

import { identityProviders } from '@highline/contract';
import { sql } from 'kysely';
import type { z } from 'zod';
import {
  DomainError,
  newId,
  openedOrNone,
  required,
  type Actor,
  type MainScope,
  type OrganizationScope,
  type Sealing,
} from '../../kernel/index.ts';
import { announce } from '../../platform/outbox/announce.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import type { Tx } from '../../platform/ports/database.ts';
import type { WebCaller } from '../../platform/ports/web-caller.ts';
import { countBreakGlass, endPasswordSessions, endSessionsBy } from '../accounts/index.ts';
import { sentence } from '../logs/index.ts';
import { findProviderSessions } from './linked-providers.queries.ts';
import {
  companyOf,
  findConfirmed,
  findGroupKeys,
  providers,
  type LockedProvider,
  type ProviderFields,
} from './providers.queries.ts';
import { confirm, countConfirmed, findDomain, removeLinks, setDomains, setRules } from './providers.store.ts';

export interface ProviderDeps extends Pick<Deps, 'database' | 'clock'> {
  readonly caller: Pick<WebCaller, 'faultOf'>;
  readonly secrets: Sealing;
  /** The texts of a name in DNS; none when it does not exist. */
  readonly resolveText: (name: string) => Promise<readonly string[]>;
}

export type ProviderInput = z.output<typeof identityProviders.saveProvider.body>;
type Company = MainScope | OrganizationScope;

const USUAL_SCOPES = 'openid email profile';

/**
 * Add a provider of the actor's company (IAM-01).
 * @returns its id
 * @throws DomainError `provider.issuer_invalid`, `provider.role_invalid`, `provider.domain_missing`, `provider.too_many`, `group.not_found`
 */
export async function createProvider(deps: ProviderDeps, actor: Actor, input: ProviderInput): Promise<string> {
  const company = companyOf(actor);
  const fields = fieldsOf(deps, company, input);
  // Its domains are not confirmed yet.
  if (fields.required) throw new DomainError('provider.domain_missing', { field: 'required' });
  const id = newId(deps.clock.now().getTime());
  const values = {
    ...providers.columnsOf(fields),
    id,
    rules: toJson([]),
    sealed_secret: deps.secrets.seal(id, Buffer.from(input.clientSecret ?? '')),
    created_by_email: actor.email,
  };
  const entry = { action: sentence('provider.created', fields.name), detail: detailOf(fields, input) };
  await providers.create(deps, company, actor, values, entry, async (tx) => {
    await setRules(tx, company, id, await storedRules(tx, company, input));
    await setDomains(tx, company, id, input.domains ?? []);
  });
  return id;
}

/**
 * Replace the fields of a provider. One that is required from now on, or no longer enabled, ends the sessions that it does not allow.
 * @throws DomainError as `createProvider`, `provider.not_found`, `provider.secret_missing`, `provider.break_glass_missing`, `conflict.stale`
 */
export async function saveProvider(
  deps: ProviderDeps,
  actor: Actor,
  id: string,
  input: ProviderInput,
  isCurrent: (version: number) => boolean,
): Promise<void> {
  const company = companyOf(actor);
  const fields = fieldsOf(deps, company, input);
  await providers.change(deps, company, actor, id, async (tx, provider, now) => {
    rejectOthers(company, provider);
    if (!isCurrent(provider.version)) throw new DomainError('conflict.stale');
    const before = providers.fieldsOf(provider);
    const rules = await storedRules(tx, company, input);
    await setDomains(tx, company, id, input.domains ?? []);
    if (fields.required) await checkRequirement(tx, company, provider, fields);
    const secret = secretOf(deps, provider, before.issuer, input);
    await providers.update(tx, provider, { ...providers.columnsOf(fields), ...secret, rules: toJson(rules) }, now);
    // Another issuer means others by the same names.
    if (fields.issuer !== before.issuer) await removeLinks(tx, company, id);
    if (!fields.enabled || fields.issuer !== before.issuer) await endSessions(tx, company, provider, actor, now);
    const isNewlyRequired = fields.required && fields.enabled && !(before.required && before.enabled);
    if (isNewlyRequired) await endOtherSessions(tx, company, actor, fields, now);
    return {
      action: sentence('provider.changed', fields.name),
      detail: { before: detailOf(before, {}), after: detailOf(fields, input) },
    };
  });
}

/** The column of another secret. The stored one is sent only to the issuer for which it was typed. @throws DomainError `provider.secret_missing` */
function secretOf(
  { secrets }: Pick<ProviderDeps, 'secrets'>,
  { id, sealed_secret: sealed }: Pick<LockedProvider, 'id' | 'sealed_secret'>,
  issuerBefore: string,
  { issuer, clientSecret }: ProviderInput,
): Partial<Pick<LockedProvider, 'sealed_secret'>> {
  if (clientSecret !== undefined) return { sealed_secret: secrets.seal(id, Buffer.from(clientSecret)) };
  if (issuer !== issuerBefore && openedOrNone(() => secrets.open(id, sealed))?.length !== 0)
    throw new DomainError('provider.secret_missing', { field: 'clientSecret' });
  return {};
}

/** Delete a provider, and end the sessions by it. @throws DomainError `provider.not_found` */
export async function deleteProvider(deps: ProviderDeps, actor: Actor, id: string): Promise<void> {
  const company = companyOf(actor);
  await providers.change(deps, company, actor, id, async (tx, provider, now) => {
    rejectOthers(company, provider);
    await endSessions(tx, company, provider, actor, now);
    await providers.remove(tx, provider);
    return { action: sentence('provider.deleted', provider.name), detail: detailOf(providers.fieldsOf(provider), {}) };
  });
}

/** Record a test of a provider with what it found. @throws DomainError `provider.not_found` */
export async function recordTest(
  deps: Pick<ProviderDeps, 'database' | 'clock'>,
  actor: Actor,
  id: string,
  found: readonly identityProviders.ProviderTest[],
): Promise<void> {
  const faults = found
    .filter(({ outcome }) => outcome === 'failed')
    .map(({ step, reason, detail }) => ({ step, reason, detail }));
  await providers.change(deps, companyOf(actor), actor, id, async (_, { name }) => ({
    action: sentence('provider.tested', name),
    detail: { faults },
  }));
}

/**
 * Confirm a domain by its DNS record.
 * @throws DomainError `provider.not_found`, `provider.domain_unproven`, `provider.domain_taken`
 */
export async function confirmDomain(deps: ProviderDeps, actor: Actor, id: string, domain: string): Promise<void> {
  const company = companyOf(actor);
  const isProven = (await findConfirmed(deps.database.read, company, id, domain)) === 'dns';
  // Before the transaction: name servers may take long.
  const texts = new Set(isProven ? [] : await deps.resolveText(`${identityProviders.DOMAIN_RECORD}.${domain}`));
  await providers.change(deps, company, actor, id, async (tx, provider, now) => {
    rejectOthers(company, provider);
    const { token } = required(await findDomain(tx, company, provider.id, domain), 'provider.not_found');
    if (!isProven && !texts.has(`${identityProviders.DOMAIN_TEXT}${token}`)) throw new DomainError('provider.domain_unproven');
    if (!(await confirm(tx, company, provider.id, domain, 'dns', now))) throw new DomainError('provider.domain_taken');
    return { action: sentence('provider.domain_confirmed', domain, provider.name), detail: { domain, by: 'dns' } };
  });
}

/**
 * Assign a domain to a provider of the main account or of one of its organizations, or take it away.
 * @throws DomainError `provider.not_found`, `provider.domain_taken`
 */
export async function assignDomain(
  deps: ProviderDeps,
  actor: Actor,
  id: string,
  domain: string,
  isAssigned: boolean,
): Promise<void> {
  const company = companyOf(actor);
  await providers.change(deps, company, actor, id, async (tx, provider, now) => {
    required(await findDomain(tx, company, provider.id, domain), 'provider.not_found');
    if (!(await confirm(tx, company, provider.id, domain, isAssigned ? 'assigned' : null, now)))
      throw new DomainError('provider.domain_taken');
    const action = isAssigned
      ? sentence('provider.domain_confirmed', domain, provider.name)
      : sentence('provider.domain_taken_away', domain, provider.name);
    return { action, detail: { domain, by: 'assigned' } };
  });
}

/** A main account sees the providers of its organizations, and leaves them alone. */
function rejectOthers(company: Company, { organization_id: organization }: Pick<LockedProvider, 'organization_id'>): void {
  if (organization !== (company.kind === 'organization' ? company.organizationId : null))
    throw new DomainError('provider.not_found');
}

/** @throws DomainError `provider.issuer_invalid`, `provider.role_invalid` */
function fieldsOf({ caller }: Pick<ProviderDeps, 'caller'>, company: Company, input: ProviderInput): ProviderFields {
  const {
    scopes = USUAL_SCOPES,
    enabled = true,
    trustsEmail = false,
    defaultRole = 'none',
    required: isRequired = false,
  } = input;
  const issuer = URL.parse(input.issuer);
  if (issuer?.protocol !== 'https:' || issuer.search !== '' || issuer.hash !== '')
    throw new DomainError('provider.issuer_invalid', { field: 'issuer' });
  const fault = caller.faultOf(input.issuer);
  if (fault !== undefined) throw new DomainError('provider.issuer_invalid', { field: 'issuer', message: fault });
  const roles = [defaultRole, ...(input.rules ?? []).map(({ role }) => role)];
  if (company.kind === 'main' && roles.includes('user')) throw new DomainError('provider.role_invalid', { field: 'rules' });
  const names = scopes.split(' ').filter(Boolean);
  return {
    ...providers.inputOf(input),
    scopes: [...new Set(['openid', ...names])].join(' '),
    enabled,
    trustsEmail,
    defaultRole,
    required: isRequired,
    breakGlass: [...new Set(input.breakGlass ?? [])],
  };
}

/** Rules as they are stored: with the keys of their groups, whose names may change. @throws DomainError `group.not_found` */
async function storedRules(
  tx: Tx,
  company: Company,
  { rules = [] }: Pick<ProviderInput, 'rules'>,
): Promise<identityProviders.ProviderRule[]> {
  const names = [...new Set(rules.flatMap(({ limit }) => limit?.groups ?? []))];
  const keys = company.kind === 'main' ? new Map<string, string>() : await findGroupKeys(tx, company, names);
  return rules.map(({ limit, ...rule }) => {
    if (limit === undefined) return rule;
    const groups = limit.groups.map((name) => required(keys.get(name), 'group.not_found', { field: 'rules', reason: name }));
    return { ...rule, limit: { ...limit, groups } };
  });
}

/**
 * Before people must sign in by a provider, there is a domain by which they can, and an admin who can without it.
 * @throws DomainError `provider.domain_missing`, `provider.break_glass_missing`
 */
async function checkRequirement(
  tx: Tx,
  company: Company,
  provider: LockedProvider,
  { breakGlass }: ProviderFields,
): Promise<void> {
  if ((await countConfirmed(tx, company, provider.id)) === 0)
    throw new DomainError('provider.domain_missing', { field: 'domains' });
  if ((await countBreakGlass(tx, company, breakGlass)) === 0)
    throw new DomainError('provider.break_glass_missing', { field: 'breakGlass' });
}

async function endSessions(tx: Tx, company: Company, provider: LockedProvider, { address }: Actor, now: Date): Promise<void> {
  const hashes = await findProviderSessions(tx, company, provider.id, { until: now });
  if (hashes.length > 0) await endSessionsBy(tx, company, hashes, { by: provider.name, address }, now);
}

/** End the sessions by password, but for the actor's own. */
async function endOtherSessions(
  tx: Tx,
  company: Company,
  { sessionId }: Actor,
  { breakGlass }: ProviderFields,
  now: Date,
): Promise<void> {
  const kept = { emails: breakGlass, bearerHash: Buffer.from(sessionId, 'hex') };
  const accounts = await endPasswordSessions(tx, company, kept, now);
  if (accounts.length > 0) await announce(tx, company, 'accounts', accounts);
}

const toJson = (rules: readonly identityProviders.ProviderRule[]) => sql`${JSON.stringify(rules)}::jsonb`;

/** Without the secret. */
const detailOf = (fields: ProviderFields, { rules, domains }: Partial<Pick<ProviderInput, 'rules' | 'domains'>>) => ({
  ...fields,
  ...(rules === undefined ? {} : { rules }),
  ...(domains === undefined ? {} : { domains }),
});

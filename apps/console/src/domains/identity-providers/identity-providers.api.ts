import { identityProviders as calls } from '@highline/contract';
import { call, type CallInput } from '../../api/client.ts';
import { pagesOf } from '../../api/useList.ts';
import { partsOf } from '../../ui/form/separated.ts';

export type Provider = calls.IdentityProvider;
export type ProviderTest = calls.ProviderTest;
type Body = CallInput<typeof calls.saveProvider>['body'];

/** A rule in the form: what its people see is groups and #tags with commas between them; empty = everything. */
export interface RuleDraft extends Omit<calls.ProviderRule, 'limit'> {
  readonly sees: string;
}

function ruleOf({ sees, ...rule }: RuleDraft): calls.ProviderRule {
  const names = [...new Set(sees.split(',').map((name) => name.trim()))].filter((name) => name !== '');
  if (names.length === 0) return rule;
  const tags = names.filter((name) => name.startsWith('#')).map((name) => name.slice(1).trim());
  return { ...rule, limit: { groups: names.filter((name) => !name.startsWith('#')), tags: tags.filter((tag) => tag !== '') } };
}

/** The fields of the form; several domains and addresses are separated by commas. */
export interface ProviderDraft {
  readonly name: string;
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scopes: string;
  readonly domains: string;
  readonly rules: readonly RuleDraft[];
  readonly defaultRole: calls.ProviderRole;
  readonly trustsEmail: boolean;
  readonly enabled: boolean;
  readonly required: boolean;
  readonly breakGlass: string;
}

/** One page of the identity providers, the newest first. */
export const fetchProviders = pagesOf(calls.listProviders);

const listOf = (text: string): string[] => [...new Set(partsOf(text))];

/** An empty secret of a stored provider stays as it is. */
function bodyOf({ clientSecret, ...draft }: ProviderDraft): Body {
  return {
    ...draft,
    ...(clientSecret !== '' && { clientSecret }),
    rules: draft.rules.filter(({ claim, value }) => claim.trim() !== '' && value.trim() !== '').map(ruleOf),
    domains: listOf(draft.domains),
    breakGlass: listOf(draft.breakGlass),
  };
}

/** @throws ApiError `provider.issuer_invalid`, `provider.too_many` */
export async function createProvider(draft: ProviderDraft): Promise<Provider> {
  return (await call(calls.createProvider, { body: bodyOf(draft) })).result;
}

/** @throws ApiError `provider.issuer_invalid`, `provider.secret_missing`, `provider.break_glass_missing`, `provider.domain_missing`, `conflict.stale` */
export async function saveProvider({ id }: Provider, draft: ProviderDraft, version: string): Promise<Provider> {
  return (await call(calls.saveProvider, { params: { provider: id }, body: bodyOf(draft), ifMatch: `"${version}"` })).result;
}

export const deleteProvider = ({ id }: Provider) => call(calls.deleteProvider, { params: { provider: id } });

/** Try the connection. @returns what each step found */
export async function testProvider({ id }: Provider): Promise<readonly ProviderTest[]> {
  return (await call(calls.testProvider, { params: { provider: id } })).result;
}

/** Confirm a domain by its DNS record. @throws ApiError `provider.domain_unproven`, `provider.domain_taken` */
export async function confirmDomain({ id }: Provider, domain: string): Promise<Provider> {
  return (await call(calls.confirmDomain, { params: { provider: id, domain } })).result;
}

/** Assign a domain in place of a DNS record, or take it away. @throws ApiError `provider.domain_taken` */
export async function assignDomain({ id }: Provider, domain: string, assigned: boolean): Promise<Provider> {
  return (await call(calls.assignDomain, { params: { provider: id, domain }, body: { assigned } })).result;
}

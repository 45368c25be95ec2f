import { apiKeys, limitedOperations } from '@highline/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { pagesOf } from '../../api/useList.ts';
import { type LimitDraft, limitOf } from './limit-draft.ts';
import { partsOf } from '../../ui/form/separated.ts';

export type ApiKey = apiKeys.ApiKey;
export type KeyGroup = apiKeys.KeyGroup;

/** A key and its secret, which is known only now. */
export interface MintedKey {
  readonly key: ApiKey;
  readonly secret: string;
}

/** The fields of a new key. */
export interface KeyDraft extends LimitDraft {
  readonly name: string;
  /** Names of groups of operations, as `groupName` writes them. */
  readonly rights: readonly string[];
  /** One per line. */
  readonly ranges: string;
  /** Days; '' = never. */
  readonly days: string;
}

const whose = (org: string | undefined) => (org === undefined ? {} : { org });

/** One page of the keys, the newest first. */
export const fetchKeys = pagesOf(apiKeys.listKeys);

/** What a key of an organization, or of a main account, can be allowed. */
export const grantableQuery = (org: string | undefined) =>
  queryOptions({
    queryKey: ['apiKeys', 'operations', org],
    queryFn: async ({ signal }) => (await call(apiKeys.keyOperations, { query: whose(org), signal })).result,
    staleTime: Infinity,
  });

/** Of what a key can be allowed, what one that is limited to groups and tags can be. */
export const withinLimit = (groups: readonly KeyGroup[]): readonly KeyGroup[] =>
  groups.flatMap((group) => {
    const operations = group.operations.filter(({ id }) => limitedOperations.has(id));
    return operations.length === 0 ? [] : [{ ...group, operations }];
  });

export const groupName = ({ area, access }: Pick<KeyGroup, 'area' | 'access'>): string => `${area}.${access}`;

/** @throws ApiError `key.range_invalid`, `key.too_many` */
export async function createKey(
  { name, rights, ranges, days, ...limit }: KeyDraft,
  org: string | undefined,
  all: readonly KeyGroup[],
): Promise<MintedKey> {
  const chosen = all.filter((group) => rights.includes(groupName(group)));
  const operations = chosen.flatMap((group) => group.operations.map(({ id }) => id));
  const expires = days === '' ? null : new Date(Date.now() + Number(days) * 86_400_000).toISOString();
  const body = { ...whose(org), name, operations, ranges: partsOf(ranges), expires, limitedTo: limitOf(limit) };
  const { result: key, secret } = await call(apiKeys.createKey, { body });
  return { key, secret };
}

/** Replace a key; the former one works for some hours more. */
export async function rotateKey({ id, org }: ApiKey, overlapHours: number): Promise<MintedKey> {
  const input = { params: { key: id }, body: { ...whose(org ?? undefined), overlapHours } };
  const { result: key, secret } = await call(apiKeys.rotateKey, input);
  return { key, secret };
}

export async function revokeKey({ id, org }: ApiKey): Promise<void> {
  await call(apiKeys.revokeKey, { params: { key: id }, body: whose(org ?? undefined) });
}

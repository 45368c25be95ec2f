import { passkeys } from '@highline/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../../api/client.ts';

export type Passkey = passkeys.Passkey;

/** The user's own passkeys. */
export const passkeysQuery = queryOptions({
  queryKey: ['passkeys'],
  queryFn: async ({ signal }) => (await call(passkeys.listPasskeys, { signal })).result.list,
  meta: { topics: ['accounts'] },
});

/** @throws ApiError `account.factor_required` */
export async function deletePasskey(passkey: string): Promise<void> {
  await call(passkeys.deletePasskey, { params: { passkey } });
}

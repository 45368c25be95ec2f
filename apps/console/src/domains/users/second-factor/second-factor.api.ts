import { secondFactor } from '@highline/contract';
import { queryOptions } from '@tanstack/react-query';
import { call, type CallResponse } from '../../../api/client.ts';

/** Whether the user's own account has a second factor. */
export const secondFactorQuery = queryOptions({
  queryKey: ['second-factor'],
  queryFn: async ({ signal }) => (await call(secondFactor.getSecondFactor, { signal })).result,
  meta: { topics: ['accounts'] },
});

/** A secret to be taken into an authenticator app. */
export type Enrolment = CallResponse<typeof secondFactor.beginSecondFactor>['result'];

/** @throws ApiError `account.wrong_password` */
export async function beginSecondFactor(password: string): Promise<Enrolment> {
  return (await call(secondFactor.beginSecondFactor, { body: { password } })).result;
}

/** @returns recovery codes, shown this once. @throws ApiError `account.otp_wrong` */
export async function confirmSecondFactor(code: string): Promise<readonly string[]> {
  return (await call(secondFactor.confirmSecondFactor, { body: { code } })).result.recoveryCodes;
}

/** @throws ApiError `account.wrong_password`, `account.otp_wrong` */
export async function endSecondFactor(proof: { readonly password: string; readonly code: string }): Promise<void> {
  await call(secondFactor.endSecondFactor, { body: proof });
}

/** Turn off a colleague's. */
export async function resetSecondFactor(id: string): Promise<void> {
  await call(secondFactor.resetSecondFactor, { params: { id } });
}

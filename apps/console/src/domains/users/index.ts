export { PersonFields } from './PersonFields.tsx';
export { CorrectAddress } from './invitation/CorrectAddress.tsx';
export { InvitationState } from './invitation/InvitationState.tsx';
export { SendAgain } from './invitation/SendAgain.tsx';
export { loadUserList } from './load.ts';
export { useResetFactor } from './second-factor/useResetFactor.ts';
export { organizationUserList } from './users.lists.ts';
export { SessionsOf } from './SessionsOf.tsx';

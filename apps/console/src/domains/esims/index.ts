export { ProfileStatus, useReason } from './ProfileStatus.tsx';
export { type Profile, routerProfilesQuery } from './esims.api.ts';

export { useOfflineSpan } from './AttentionCard.tsx';
export { DevicesCard, GroupsCard, LogsCard, UsersCard } from './Cards.tsx';
export { NeedsAttention } from './NeedsAttention.tsx';
export { attentionQuery, fleetQuery } from './attention.api.ts';
export { countsQuery, loginStatusQuery } from './overview.api.ts';
export { targetsOf } from './targets.ts';

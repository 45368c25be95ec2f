// The state of subscriptions, for every module that lists, counts or moves devices; it depends on none of them.
export { readSubscription, type SubscriptionDays } from './subscription.days.ts';
export { subscriptionDay, subscriptionIs, subscriptionMatches, type SubscriptionDay } from './subscription.sql.ts';

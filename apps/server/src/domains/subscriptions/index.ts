// Where subscriptions stand, for every room that lists, counts or moves devices; it needs none of them.
export { readSubscription, type SubscriptionDays } from './subscription.days.ts';
export { subscriptionDay, subscriptionIs, type SubscriptionDay } from './subscription.sql.ts';

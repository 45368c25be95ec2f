// Where subscriptions stand, for every room that lists, counts or moves devices; it needs none of them.
export { subscriptionDay, subscriptionIs, type SubscriptionDay } from './subscription.sql.ts';

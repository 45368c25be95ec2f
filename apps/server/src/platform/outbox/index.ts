export { startDispatcher, type Dispatcher } from './dispatcher.ts';
export { purgeOutbox } from './outbox.ts';

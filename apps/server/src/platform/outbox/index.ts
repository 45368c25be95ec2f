export { startDispatcher, type Dispatcher } from './dispatcher.ts';
export { purgeOutbox } from './outbox.ts';
export { createLiveStreams, type LiveStreams } from '../../transport/events/stream.ts';

export { purgeOutbox, startDispatcher, type Dispatcher } from './dispatcher.ts';
export { createLiveStreams, type LiveStreams } from './stream.ts';

export { createLiveStreams, type LiveStreams } from './stream.ts';

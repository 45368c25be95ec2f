export { createNodeChannel, nodeSubject, subjectPrefixes, subscribeAsNode, type NodeChannel } from './channel.ts';
export type { RemoteCall, RemoteCallReply, RemoteCallTimeouts } from './handler.ts';
export { createRemoteCalls, type RemoteCalls, type RemoteCallsDeps } from './remote-calls.ts';
export { purgeRecordedCalls } from './recorded-calls.store.ts';

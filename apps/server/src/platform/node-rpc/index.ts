export {
  createRemoteCalls,
  type RemoteCallReply,
  type RemoteCalls,
  type RemoteCallTimeouts,
  type RemoteCallsDeps,
} from './remote-calls.ts';
export { purgeRemoteCalls } from './remote-calls.store.ts';
import './node-rpc.tables.ts';

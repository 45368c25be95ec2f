export {
  Client,
  type AnswerOf,
  type CallOptions,
  type ClientOptions,
  type Download,
  type EventCall,
  type FileCall,
  type InputOf,
  type JsonCall,
  type ListCall,
  type RowOf,
} from './client.ts';
export { callTable, type Calls, type FailureKey } from './calls.generated.ts';
export { CallFailed, ServerUnreachable } from './errors.ts';
export type { Retries } from './retries.ts';

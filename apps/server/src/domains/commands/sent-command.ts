import type { rollouts, sentCommands } from '@highline/contract';
import type { Actor } from '../../kernel/scope.ts';
import { sentence, type SentencePart } from '../logs/index.ts';

declare module '../../platform/ports/column-types.ts' {
  interface ColumnTypes {
    'sent_commands.actor': Actor;
    'sent_commands.kind': sentCommands.SentKind;
    'sent_commands.reason': sentCommands.SentReason;
    'sent_commands.work_window': rollouts.UpdateWindow;
  }
}

/** What is sent to a router, as a person chose it. */
export interface Order {
  readonly kind: sentCommands.SentKind;
  readonly argument: string;
  /** Of a custom command; empty for one that is built in. */
  readonly name: string;
}

/** A command in a log entry: its name, or what it does. */
export function partOf({ kind, name }: Pick<Order, 'kind' | 'name'>): SentencePart {
  return name === '' ? sentence(`part.kind_${kind}`) : name;
}

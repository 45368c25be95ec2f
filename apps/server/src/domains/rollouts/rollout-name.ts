import { sentence, type SentencePart } from '../logs/index.ts';
import type { Row } from '../../platform/ports/tables.ts';

/** The name of a rollout in sentences of the log. */
export function nameOf({ kind, label }: Row<'bindings', 'kind' | 'label'>): SentencePart {
  return kind === 'settings' ? sentence('part.settings', label) : label;
}

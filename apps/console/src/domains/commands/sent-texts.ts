import type { TFunction } from 'i18next';
import type { Tone } from '../../ui/StatusDot.tsx';
import { faultText } from '../../entities/settings/fault-text.ts';
import type { SentCommand } from '../../entities/commands/sent.api.ts';

const tones: Readonly<Record<SentCommand['state'], Tone>> = {
  waiting: 'idle',
  sent: 'busy',
  running: 'busy',
  done: 'ok',
  failed: 'bad',
  expired: 'warn',
  cancelled: 'idle',
};

export const toneOf = ({ state }: SentCommand): Tone => tones[state];

/** What it does, as a custom command is called or a built-in one. */
export function titleOf(t: TFunction, { name, kind }: Pick<SentCommand, 'name' | 'kind'>): string {
  return name === '' ? t(`commands.action.${kind}`) : name;
}

/** Why it failed or was cancelled, with the router's own message; empty where it was not. */
export function reasonOf(t: TFunction, { kind, reason, message }: SentCommand): string {
  if (reason === null) return '';
  const text = t(`commands.reason.${reason}`);
  if (message === '') return text;
  return t('ui.detail', { name: text, detail: kind === 'apply-settings' ? faultText(t, message) : message });
}

import type { alerts } from '@highline/contract';
import type { Tone } from '../../ui/StatusDot.tsx';

/** Of the dot in front of an alert or a rule. */
export const severityTones: Readonly<Record<alerts.Severity, Tone>> = { critical: 'bad', warning: 'warn', info: 'busy' };

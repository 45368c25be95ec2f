import { esims, type Right } from '@highline/contract';
import { authorOf, type Actor } from '../../kernel/index.ts';

/** The calls that request a switch. */
const useRights = {
  'esims.use': esims.useProfile,
  'esims.order': esims.orderProfiles,
  'esims.save': esims.saveProfile,
} satisfies Readonly<Record<string, Right>>;

type UseCall = keyof typeof useRights;

/** Who requested a switch, and by which call: both still have to be allowed when the router begins. */
export interface UseAuthor {
  readonly actor: Actor;
  readonly call: UseCall;
  /** ISO time at which the switch is withdrawn if it has not begun; left out = never. */
  readonly until?: string;
}

/** The author of a switch, as it is stored with it. */
export function describeUseAuthor(actor: Actor, call: UseCall, until?: Date): UseAuthor {
  return { actor: { ...authorOf(actor), address: '', sessionId: '' }, call, ...(until && { until: until.toISOString() }) };
}

/** The right that the author of a switch needs. */
export const findUseRight = ({ call }: UseAuthor): Right => useRights[call];

import type { FactKey } from '../facts.ts';
import type { Responses } from '../ingest/responses.ts';
import { readUplinks } from './uplinks.ts';

/** Facts that follow from tables of instances and not from one parameter. undefined = the tables were not read; null = there is none. */
export const derivedFacts: Readonly<Partial<Record<FactKey, (responses: Responses) => string | null | undefined>>> = {
  uplink_kind(responses) {
    const uplinks = readUplinks(responses);
    return uplinks && (uplinks.find(({ carries }) => carries)?.kind ?? null);
  },
};

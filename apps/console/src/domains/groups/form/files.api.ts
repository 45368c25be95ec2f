import { configs, firmware, rollouts } from '@highline/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call, type CallInput } from '../../../api/client.ts';
import type { Chosen } from './values.ts';

/** The number of files offered at once; a text narrows them down. */
export const OFFERED = 20;

/** A file that can be chosen. */
export interface FileOption extends Chosen {
  /** Bytes. */
  readonly size: number;
  /** Whether a firmware carries our signature; undefined for a config file. */
  readonly signed?: boolean;
}

interface Offer {
  readonly options: readonly FileOption[];
  readonly total: number;
}

/** Firmware in the catalogue whose version contains a text, newest first. */
const firmwareChoices = (search: string) =>
  queryOptions({
    queryKey: ['firmware', 'choice', search],
    queryFn: async ({ signal }): Promise<Offer> => {
      const filter = search === '' ? {} : { search, field: 'version' as const, ignoreCase: 'true' as const };
      const response = await call(firmware.listFirmware, { query: { ...filter, limit: OFFERED, offset: 0 }, signal });
      const options = response.result.map(({ pk, version, profile, size, signedBy }) => ({
        pk,
        name: version,
        version: null,
        model: profile,
        size,
        signed: signedBy !== null,
      }));
      return { options, total: response.total ?? options.length };
    },
    placeholderData: keepPreviousData,
    meta: { topics: ['firmware'] },
  });

/** Config files whose name contains a text. */
const configChoices = (search: string) =>
  queryOptions({
    queryKey: ['configs', 'choice', search],
    queryFn: async ({ signal }): Promise<Offer> => {
      const filter = search === '' ? {} : { search, field: 'name' as const, ignoreCase: 'true' as const };
      const response = await call(configs.listConfigs, { query: { ...filter, limit: OFFERED, offset: 0 }, signal });
      const options = response.result.map(({ pk, name, version, size }) => ({ pk, name, version, size }));
      return { options, total: response.total ?? options.length };
    },
    placeholderData: keepPreviousData,
    meta: { topics: ['configs'] },
  });

/** The offered files of a kind. */
export const fileChoices = (kind: rollouts.BindingKind, search: string) =>
  kind === 'firmware' ? firmwareChoices(search) : configChoices(search);

export type Impact = rollouts.Impact;
export type ImpactInput = NonNullable<CallInput<typeof rollouts.bindingImpact>['body']>;

/** What saving would do to the routers; nothing is written. */
export const impactQuery = (input: ImpactInput) =>
  queryOptions({
    queryKey: ['rollouts', 'impact', input],
    queryFn: async ({ signal }) => (await call(rollouts.bindingImpact, { body: input, signal })).result,
    placeholderData: keepPreviousData,
    meta: { topics: ['devices', 'groups'] },
  });

import { links } from '@highline/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { type Page, pageOf } from '../../api/useList.ts';
import { fetchDevices } from '../../entities/devices/devices.api.ts';

export type SharedLink = links.SharedLink;

/** A new link, with its address, which is known only now. */
export interface NewLink {
  readonly link: SharedLink;
  readonly address: string;
}

/** One page of the links, the newest first. */
export async function fetchLinks(
  query: { readonly limit: number; readonly offset?: number; readonly org?: string | undefined },
  signal: AbortSignal,
): Promise<Page<SharedLink>> {
  return pageOf(await call(links.listLinks, { query, signal }));
}

/** What a link is made of. */
export interface LinkInput {
  readonly org?: string;
  readonly device?: string;
  readonly group?: string;
  readonly note: string;
  readonly showsNames: boolean;
  readonly hours: number;
}

/** @throws ApiError `link.too_many`, `not_found` */
export async function createLink(body: LinkInput): Promise<NewLink> {
  const { result: link, token } = await call(links.createLink, { body });
  return { link, address: `${location.origin}/share#${token}` };
}

export async function endLink({ id, org }: SharedLink): Promise<void> {
  await call(links.endLink, { params: { link: id }, body: { org } });
}

/** Vehicles offered at once; a text narrows them down. */
const OFFERED = 20;

/** Vehicles in whose names or numbers a text is. */
export const vehicleChoices = (search: string) =>
  queryOptions({
    queryKey: ['devices', 'to share', search],
    queryFn: async ({ signal }) => {
      const filter = search === '' ? {} : { search, field: 'any' as const, ignoreCase: 'true' as const };
      const { rows, total } = await fetchDevices({ ...filter, limit: OFFERED, offset: 0, sort: 'vehicle' }, signal);
      return { options: rows, total };
    },
    placeholderData: keepPreviousData,
    meta: { topics: ['devices'] },
  });

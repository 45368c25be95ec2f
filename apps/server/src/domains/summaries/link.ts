import { createSealing, DomainError, openedOrNone, type MasterKey, type Sealing } from '../../kernel/index.ts';

/** What a link in a mail is for. */
export type SummaryLink =
  | { readonly purpose: 'confirm'; readonly ownerId: string; readonly mail: string }
  | { readonly purpose: 'unsubscribe'; readonly summaryId: string; readonly mail: string };

const CONTEXT = 'link of a summary';

export const createLinkSealing = (linkKeys: MasterKey): Sealing => createSealing(linkKeys, 'highline summaries');

/** The secret of a link: only this server can make and read one. */
export const writeLink = (sealing: Sealing, link: SummaryLink): string =>
  sealing.seal(CONTEXT, Buffer.from(JSON.stringify(link))).toString('base64url');

/** @throws DomainError `summary.link_invalid` */
export function readLink(sealing: Sealing, token: string): SummaryLink {
  const bytes = openedOrNone(() => sealing.open(CONTEXT, Buffer.from(token, 'base64url')));
  if (bytes === undefined) throw new DomainError('summary.link_invalid');
  return JSON.parse(bytes.toString('utf8')) as SummaryLink;
}

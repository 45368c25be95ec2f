import type { search } from '@highline/contract';
import {
  IconBookmark,
  IconBuildingCommunity,
  IconCpu,
  IconDeviceSim,
  IconFileSettings,
  IconRouter,
  IconStack2,
  IconUser,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { foundQuery } from '../../../domains/search/index.ts';
import { useSession } from '../../../api/session.ts';
import { findPart } from './marked.tsx';
import { addressOf } from './addressOf.ts';
import type { PaletteEntry, PaletteSection, RecentEntry } from './entry.ts';
import { readRecent } from './recent.ts';

const icons: Readonly<Record<search.FoundKind, ReactNode>> = {
  device: <IconRouter size={16} />,
  sim: <IconDeviceSim size={16} />,
  group: <IconStack2 size={16} />,
  person: <IconUser size={16} />,
  firmware: <IconCpu size={16} />,
  config: <IconFileSettings size={16} />,
  organization: <IconBuildingCommunity size={16} />,
  view: <IconBookmark size={16} />,
};

/** Entries for what was found, or opened before. */
function useEntries() {
  const navigate = useNavigate();
  const { role, limitedTo } = useSession();
  return ({ kind, id, title, detail, org, orgName }: RecentEntry, hint: string | undefined): PaletteEntry => {
    const recent = { kind, id, title, detail, org, orgName };
    // The id of the list is for the address, not for people.
    const shown = kind === 'view' ? '' : detail;
    return {
      key: `${kind} ${id}`,
      title,
      detail: shown,
      hint,
      icon: icons[kind],
      run: () => void navigate(addressOf(recent, limitedTo === null ? role : 'user')),
      recent,
    };
  };
}

/** What the server finds for a text, in sections by kind; `isCurrent` once it is the answer to this text. */
export function useFound(text: string) {
  const { t } = useTranslation();
  const toEntry = useEntries();
  const query = useQuery(foundQuery(text));
  const found = text === '' ? [] : (query.data ?? []);
  const hintOf = ({ title, detail, field, value, orgName, kind }: search.Found) => {
    const isShown = findPart(title, text) !== undefined || findPart(detail, text) !== undefined;
    const matched = isShown ? '' : t('palette.matched', { field: t(`palette.field.${field}`), value });
    const whose = kind === 'organization' ? '' : orgName;
    return matched !== '' && whose !== '' ? t('palette.hint', { first: matched, second: whose }) : matched + whose;
  };
  const sections: PaletteSection[] = [...Map.groupBy(found, ({ kind }) => kind)].map(([kind, rows]) => ({
    key: kind,
    title: t(`palette.section.${kind}`),
    entries: rows.map((row) => toEntry(row, hintOf(row))),
  }));
  return {
    sections,
    isCurrent: text === '' || (query.data !== undefined && !query.isPlaceholderData) || query.isError,
    error: text === '' ? null : query.error,
    retry: () => void query.refetch(),
  };
}

/** What the user opened from the palette before. */
export function useRecent(): readonly PaletteEntry[] {
  const toEntry = useEntries();
  return readRecent().map((entry) => {
    const { key, ...rest } = toEntry(entry, entry.orgName);
    return { ...rest, key: `recent ${key}` };
  });
}

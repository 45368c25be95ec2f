import { NativeSelect } from '../../ui/controls/TextInput.tsx';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from '#i18n';
import { useAction } from '../../api/useAction.ts';
import { SaveButton } from '../../ui/form/SaveButton.tsx';
import { formatDay } from '../../ui/time/format.ts';
import { toast } from '../../ui/toasts.ts';
import { setZone } from './plans.api.ts';
import { monthQuery } from './usage.api.ts';

/** The time zone of days and cycles of the organization (USE-03); saved once it is chosen, because arrow keys pass others. */
export function UsageZone(): ReactNode {
  const { t } = useTranslation();
  const query = useQuery(monthQuery({}));
  const [picked, setPicked] = useState<string>();
  const save = useAction<string, Awaited<ReturnType<typeof setZone>>>({
    run: setZone,
    onDone: ({ zone, from }) => {
      toast(from === null ? t('usage.zone.done', { zone }) : t('usage.zone.later', { zone, day: formatDay(from) }));
      void query.refetch().then(() => setPicked(undefined));
    },
  });
  if (query.data === undefined) return null;
  const { zone, nextZone } = query.data;
  const chosen = nextZone?.zone ?? zone;
  return (
    <div className="usage-zone">
      <NativeSelect
        label={t('usage.zone.label')}
        description={nextZone === null ? undefined : t('usage.zone.next', { day: formatDay(nextZone.from), zone: nextZone.zone })}
        data={[...new Set(['UTC', chosen, ...Intl.supportedValuesOf('timeZone')])]}
        value={picked ?? chosen}
        onChange={(event) => setPicked(event.currentTarget.value)}
      />
      <SaveButton
        dirty={picked !== undefined && picked !== chosen}
        saving={save.busy}
        onClick={() => save.run(picked ?? chosen)}
      />
    </div>
  );
}

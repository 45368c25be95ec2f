import { Button, NativeSelect } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useAction } from '../../../api/useAction.ts';
import { useErrorText } from '../../../api/useErrorText.ts';
import { Skeleton } from '../../../ui/page/Skeleton.tsx';
import { ErrorState } from '../../../ui/states.tsx';
import { changeControl, type Control, type ControlRow, controlsQuery } from './control.api.ts';
import './control.css';

function Line({ group, row }: { group: string; row: ControlRow }): ReactNode {
  const { t } = useTranslation();
  const { id, email, name, control } = row;
  const change = useAction<Control, void>({ run: (input) => changeControl(group, id, input), onDone: () => {} });
  return (
    <li className="control">
      <span className="control__who">
        {name}
        <span className="dim">{email}</span>
      </span>
      <NativeSelect
        aria-label={t('groups.control.of', { email })}
        value={control}
        disabled={change.busy}
        data={(['read', 'full'] as const).map((value) => ({ value, label: t(`groups.control.${value}`) }))}
        onChange={(event) => change.run(event.currentTarget.value === 'full' ? 'full' : 'read')}
      />
    </li>
  );
}

/** Which users of the organization may change a group, and which only look at it; an administrator decides (OLD-01). */
export function ControlPanel({ group }: { group: string }): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const query = useInfiniteQuery(controlsQuery(group));
  const rows = query.data?.pages.flatMap(({ result }) => result);
  return (
    <section className="card panel" aria-labelledby="group-control" aria-busy={query.isPending}>
      <h2 id="group-control">{t('groups.control.title')}</h2>
      <p className="dim">{t('groups.control.hint')}</p>
      {query.isPending && <Skeleton lines={2} />}
      {query.isError && rows === undefined && <ErrorState text={errorText(query.error)} onRetry={() => void query.refetch()} />}
      {rows?.length === 0 && <p className="dim">{t('groups.control.none')}</p>}
      {rows !== undefined && rows.length > 0 && (
        <ul className="controls">
          {rows.map((row) => (
            <Line key={row.id} group={group} row={row} />
          ))}
        </ul>
      )}
      {query.hasNextPage && (
        <div>
          <Button loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            {t('groups.control.more')}
          </Button>
        </div>
      )}
    </section>
  );
}

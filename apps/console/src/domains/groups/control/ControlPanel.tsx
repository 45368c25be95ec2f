import { Button } from '../../../ui/controls/Button.tsx';
import { NativeSelect } from '../../../ui/controls/TextInput.tsx';
import { useInfiniteQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from '#i18n';
import { useAction } from '../../../api/useAction.ts';
import { useErrorText } from '../../../api/useErrorText.ts';
import { Skeleton } from '../../../ui/page/Skeleton.tsx';
import { ErrorState } from '../../../ui/states.tsx';
import { formatNumber } from '../../../ui/time/format.ts';
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
        aria-busy={change.busy}
        data={(['read', 'full'] as const).map((value) => ({ value, label: t(`groups.control.${value}`) }))}
        // It is not disabled meanwhile: it would lose the focus.
        onChange={({ currentTarget: { value } }) => {
          if (!change.busy) change.run(value === 'full' ? 'full' : 'read');
        }}
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
  const [open, setOpen] = useState(false);
  const count = rows?.filter(({ control }) => control === 'full').length ?? 0;
  // Of many users only the first are loaded: they are not counted.
  const isWhole = rows !== undefined && !query.hasNextPage;
  return (
    <section className="card panel" aria-labelledby="group-control" aria-busy={query.isPending}>
      <div className="control__head">
        <h2 id="group-control">{t('groups.control.title')}</h2>
        {rows !== undefined && rows.length > 0 && (
          <Button aria-expanded={open} aria-controls="group-controls" onClick={() => setOpen(!open)}>
            {t(open ? 'groups.control.close' : 'groups.control.edit')}
          </Button>
        )}
      </div>
      <p className="dim">
        {isWhole && rows.length > 0 && `${t('groups.control.count', { count, shown: formatNumber(count) })} `}
        {(open || rows?.length === 0) && t('groups.control.hint')}
      </p>
      {query.isPending && <Skeleton lines={2} />}
      {query.isError && rows === undefined && <ErrorState text={errorText(query.error)} onRetry={() => void query.refetch()} />}
      {rows?.length === 0 && <p className="dim">{t('groups.control.none')}</p>}
      {open && rows !== undefined && rows.length > 0 && (
        <ul id="group-controls" className="controls">
          {rows.map((row) => (
            <Line key={row.id} group={group} row={row} />
          ))}
        </ul>
      )}
      {open && query.hasNextPage && (
        <div>
          <Button loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            {t('groups.control.more')}
          </Button>
        </div>
      )}
    </section>
  );
}

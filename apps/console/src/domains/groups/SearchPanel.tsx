import { Button } from '../../ui/controls/Button.tsx';
import { NativeSelect, TextInput } from '../../ui/controls/TextInput.tsx';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useTranslation } from '#i18n';
import { Check } from '../../ui/Check.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { DateField } from '../../ui/form/DateField.tsx';
import '../../ui/form/form.css';
import { dayIn, isoFromDay, untilToday } from '../../ui/time/format.ts';
import { useNow } from '../../ui/time/now.ts';
import { useZone } from '../../ui/time/zone.ts';
import { groupList, type GroupSearch } from './groups.lists.ts';

/** The values of the panel; absent = no filter. */
type GroupFilter = Pick<GroupSearch, 'field' | 'search' | 'schedule' | 'from' | 'until'>;
const none: GroupFilter = { field: undefined, search: undefined, schedule: undefined, from: undefined, until: undefined };
const FORM = 'group-search';

export interface SearchPanelProps {
  readonly search: GroupSearch;
  readonly onApply: (groupFilter: GroupFilter) => void;
  /** Removes every filter of the list, those that are not of the panel too. */
  readonly onReset: () => void;
  readonly onClose: () => void;
}

/** Why a range of days cannot be searched; undefined when it can. ISO days compare as text. */
function rangeFault({ from, until }: GroupFilter, today: string): 'reversed' | 'future' | undefined {
  const [first, last] = [isoFromDay(from ?? ''), isoFromDay(until ?? '')];
  if (first > isoFromDay(today) || last > isoFromDay(today)) return 'future';
  return first !== '' && last !== '' && last < first ? 'reversed' : undefined;
}

/** Field, text, schedule and days of creation; Apply, Clear, Cancel and Reset settings (GRP-05). */
export function SearchPanel({ search, onApply, onReset, onClose }: SearchPanelProps): ReactNode {
  const { t } = useTranslation();
  const zone = useZone();
  const now = useNow();
  const [edited, setEdited] = useState<GroupFilter>({
    field: search.field,
    search: search.search,
    schedule: search.schedule,
    from: untilToday(search.from, zone),
    until: untilToday(search.until, zone),
  });
  const [custom, setCustom] = useState(search.from !== undefined || search.until !== undefined);
  const set = (part: Partial<GroupFilter>) => setEdited((before) => ({ ...before, ...part }));
  const today = dayIn(now, zone);
  const fault = custom ? rangeFault(edited, today) : undefined;
  const apply = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (fault !== undefined || !event.currentTarget.checkValidity()) return;
    onApply(custom ? edited : { ...edited, from: undefined, until: undefined });
  };
  const clear = () => {
    setEdited(none);
    setCustom(false);
  };
  return (
    <Dialog
      title={t('groups.search.title')}
      onClose={onClose}
      actions={
        <>
          <Button variant="subtle" onClick={onReset}>
            {t('groups.search.reset')}
          </Button>
          <span className="spacer" />
          <Button onClick={clear}>{t('groups.search.clear')}</Button>
          <Button onClick={onClose}>{t('ui.cancel')}</Button>
          <Button variant="filled" type="submit" form={FORM}>
            {t('groups.search.apply')}
          </Button>
        </>
      }
    >
      <form id={FORM} className="search-panel" noValidate onSubmit={apply}>
        <div className="form__pair">
          <NativeSelect
            label={t('groups.search.field')}
            value={edited.field ?? 'group'}
            data={groupList.fields.map((field) => ({ value: field, label: t(`groups.search.fields.${field}`) }))}
            onChange={(event) => set({ field: groupList.fields.find((field) => field === event.currentTarget.value) })}
          />
          <TextInput
            type="search"
            label={t('groups.search.text')}
            title={t('ui.filter.caseSensitive')}
            placeholder={t('ui.filter.contains')}
            value={edited.search ?? ''}
            maxLength={200}
            autoFocus
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => set({ search: event.currentTarget.value === '' ? undefined : event.currentTarget.value })}
          />
        </div>
        <NativeSelect
          label={t('groups.search.schedule')}
          value={edited.schedule ?? ''}
          data={[
            { value: '', label: t('groups.search.allSchedules') },
            ...groupList.filters.schedule.map((schedule) => ({ value: schedule, label: t(`groups.schedule.${schedule}`) })),
          ]}
          onChange={(event) =>
            set({ schedule: groupList.filters.schedule.find((schedule) => schedule === event.currentTarget.value) })
          }
        />
        <Check label={t('groups.search.custom')} checked={custom} onChange={setCustom} />
        {custom && (
          <div className="form__pair">
            <DateField
              label={t('groups.search.from')}
              value={edited.from ?? ''}
              onChange={(day) => set({ from: day === '' ? undefined : day })}
            />
            <DateField
              label={t('groups.search.until')}
              value={edited.until ?? ''}
              error={fault === undefined ? undefined : t(`groups.search.${fault}`)}
              onChange={(day) => set({ until: day === '' ? undefined : day })}
            />
          </div>
        )}
      </form>
    </Dialog>
  );
}

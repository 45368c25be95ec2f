import { Button } from '../controls/Button.tsx';
import { IconChevronDown } from '@tabler/icons-react';
import { type ReactNode, useEffect } from 'react';
import { useTranslation } from '#i18n';
import { OptionList } from '../OptionList.tsx';
import { Popup } from '../Popup.tsx';
import type { Filter } from './filter.ts';

const LONG_LIST = 10;

/** The values to pick from; the next time it opens nothing is typed yet. */
function Values({ filter, onPick }: { filter: Filter; onPick: (value: string) => void }): ReactNode {
  const { label, options, value, onFind, note } = filter;
  useEffect(() => () => onFind?.(''), [onFind]);
  return (
    <>
      <OptionList
        label={label}
        options={options}
        selected={value ?? ''}
        searchable={onFind !== undefined || options.length > LONG_LIST}
        {...(onFind === undefined ? {} : { onSearch: onFind })}
        onPick={onPick}
      />
      {note !== undefined && <p className="dim filters__note">{note}</p>}
    </>
  );
}

/** A button that opens the values of one filter; long lists can be searched. */
export function FilterSelect({ filter, onPick }: { filter: Filter; onPick: (value: string) => void }): ReactNode {
  const { t } = useTranslation();
  return (
    <Popup
      trigger={(trigger) => (
        <Button
          aria-label={t('ui.filter.by', { filter: filter.label })}
          rightSection={<IconChevronDown size={14} />}
          {...trigger}
        >
          {filter.label}
        </Button>
      )}
    >
      {(close) => (
        <Values
          filter={filter}
          onPick={(value) => {
            close();
            onPick(value);
          }}
        />
      )}
    </Popup>
  );
}

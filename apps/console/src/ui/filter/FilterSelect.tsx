import { Button } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { OptionList } from '../OptionList.tsx';
import { Popup } from '../Popup.tsx';
import type { Filter } from './filter.ts';

const LONG_LIST = 10;

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
        <OptionList
          label={filter.label}
          options={filter.options}
          selected={filter.value ?? ''}
          searchable={filter.options.length > LONG_LIST}
          onPick={(value) => {
            close();
            onPick(value);
          }}
        />
      )}
    </Popup>
  );
}

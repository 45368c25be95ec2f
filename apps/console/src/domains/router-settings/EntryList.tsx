import { entryName, MOST_ENTRIES, type SettingsCatalogue } from '@highline/contract';
import { type ReactNode, useState } from 'react';
import { useTranslation } from '#i18n';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { Button } from '../../ui/controls/Button.tsx';
import { TextInput } from '../../ui/controls/TextInput.tsx';
import { entriesOf, isFit, type Draft } from './draft.ts';
import type { LevelSettings } from './settings.api.ts';
import { SettingField } from './SettingField.tsx';
import { entryTitle, listKey, originText } from './setting-texts.ts';

export interface EntryListProps {
  /** `NAT.PortMapping[name=*].` */
  readonly list: string;
  readonly catalogue: SettingsCatalogue;
  readonly draft: Draft;
  readonly stored: LevelSettings;
  readonly isReadOnly: boolean;
  readonly onChange: (values: Draft) => void;
}

/** Entries of a list: those of this level, and those that it inherits (TPL-01). */
export function EntryList({ list, catalogue, draft, stored, isReadOnly, onChange }: EntryListProps): ReactNode {
  const { t } = useTranslation();
  const [name, setName] = useState('');
  const entries = entriesOf(list, draft, stored);
  const key = listKey(list);
  const inherited = new Map(stored.inherited.map((each) => [each.path, each]));
  const isOwn = (entry: string) =>
    catalogue.ofEntry(list, entry).some(({ path }) => (draft[path] ?? '') !== '' || draft[path] === null);
  const reason = nameFault(name, entries);
  const add = () => {
    const [enable] = catalogue.ofEntry(list, name).filter(({ path }) => path.endsWith('.Enable'));
    onChange(enable === undefined ? {} : { [enable.path]: 'true' });
    setName('');
  };
  return (
    <div className="setting-entries">
      <h3>{t(`routerSettings.list_of.${key}.title`)}</h3>
      {entries.length === 0 && <p className="dim">{t('routerSettings.entry.none')}</p>}
      {entries.map((entry) => {
        const settings = catalogue.ofEntry(list, entry);
        const above = settings.find(({ path }) => inherited.has(path));
        return (
          <fieldset key={entry} className="setting-entry">
            <legend>{entryTitle(t, { list, entry })}</legend>
            {above !== undefined && <p className="dim">{originText(t, inherited.get(above.path)!.from)}</p>}
            <div className="form">
              {settings.map((setting) => (
                <SettingField
                  key={setting.path}
                  setting={setting}
                  value={draft[setting.path] === undefined ? '' : draft[setting.path]!}
                  inherited={inherited.get(setting.path)}
                  isFit={isFit(setting, draft)}
                  isReadOnly={isReadOnly}
                  onChange={(value) => onChange({ [setting.path]: value })}
                />
              ))}
            </div>
            {isOwn(entry) && !isReadOnly && (
              <Button
                size="xs"
                aria-label={t('routerSettings.entry.removeNamed', { name: entryTitle(t, { list, entry }) })}
                onClick={() => onChange(Object.fromEntries(settings.map(({ path }) => [path, ''])))}
              >
                {t('routerSettings.remove')}
              </Button>
            )}
          </fieldset>
        );
      })}
      {!isReadOnly && (
        <div className="setting-entries__add">
          <TextInput
            label={t(`routerSettings.list_of.${key}.name`)}
            description={t('routerSettings.entry.nameHelp')}
            descriptionBelow
            value={name}
            spellCheck={false}
            autoComplete="off"
            error={name !== '' && reason !== undefined ? t(`routerSettings.entry.${reason}`) : undefined}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
          />
          <ActionButton disabledReason={reason === undefined ? undefined : t(`routerSettings.entry.${reason}`)} onClick={add}>
            {t(`routerSettings.list_of.${key}.add`)}
          </ActionButton>
        </div>
      )}
    </div>
  );
}

function nameFault(name: string, entries: readonly string[]): 'full' | 'named' | 'wrongName' | undefined {
  if (entries.length >= MOST_ENTRIES) return 'full';
  if (!entryName.test(name)) return 'wrongName';
  return entries.includes(name) ? 'named' : undefined;
}

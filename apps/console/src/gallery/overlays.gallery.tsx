import { Button } from '../ui/controls/Button.tsx';
import { TextInput } from '../ui/controls/TextInput.tsx';
import { IconLogout, IconUser } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { ActionButton } from '../ui/ActionButton.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { chooseAction, confirmAction, showMessage } from '../ui/dialogs.ts';
import { FilterSelect } from '../ui/filter/FilterSelect.tsx';
import { DateField } from '../ui/form/DateField.tsx';
import { PickField } from '../ui/form/PickField.tsx';
import { FormDialog } from '../ui/FormDialog.tsx';
import { Menu } from '../ui/Menu.tsx';
import { OptionList } from '../ui/OptionList.tsx';
import { SecretDialog } from '../ui/SecretDialog.tsx';
import { ColumnChooser } from '../ui/table/ColumnChooser.tsx';
import { shownToasts } from '../ui/toasts.ts';
import { TypedConfirm } from '../ui/TypedConfirm.tsx';
import { useFilters } from './filters.gallery.tsx';
import { ignore, Section, useSay } from './parts.tsx';
import { useColumns } from './tables.gallery.tsx';

/** Something that opens by its first control; the browser tests open each, and compare what is then on top. */
function Opens({ name, by = 'click', children }: { name: string; by?: 'click' | 'hover'; children: ReactNode }): ReactNode {
  return (
    <div data-opens={name} data-by={by}>
      {children}
    </div>
  );
}

/** Dialogs, menus, lists, hints and toasts, each behind what opens it. */
export function Overlays(): ReactNode {
  return (
    <Section id="overlays" title="Dialogs, menus, hints, toasts">
      <Questions />
      <OwnDialogs />
      <Popups />
      <Hints />
    </Section>
  );
}

function Questions(): ReactNode {
  const say = useSay();
  const buses = Array.from({ length: 9 }, (_, number) => say(`Bus ${120 + number}`, `公車 ${120 + number}`));
  const question = {
    title: say('Delete devices', '刪除裝置'),
    text: say('Delete 9 devices?', '要刪除 9 部裝置嗎？'),
    items: buses,
    means: say('Their routers lose their configuration.', '其路由器將失去設定。'),
  };
  const choices = [
    { id: 'stay', label: say('Keep editing', '繼續編輯') },
    { id: 'drop', label: say('Discard', '捨棄') },
    { id: 'save', label: say('Save', '儲存'), primary: true },
  ];
  const kept = { title: say('Save the group', '儲存群組'), text: say('The group has unsaved changes.', '群組有未儲存的變更。') };
  return (
    <>
      <Opens name="message">
        <Button onClick={() => void showMessage({ ...kept, items: buses.slice(0, 3) })}>message</Button>
      </Opens>
      <Opens name="confirm">
        <Button onClick={() => void confirmAction({ ...kept, effect: 'ordinary' })}>confirm</Button>
      </Opens>
      <Opens name="confirm-danger">
        <Button onClick={() => void confirmAction({ ...question, effect: 'permanent' })}>confirm, danger</Button>
      </Opens>
      <Opens name="choice">
        <Button onClick={() => void chooseAction({ ...kept, choices })}>choice</Button>
      </Opens>
    </>
  );
}

/** Opens a dialog of its own and closes it again. */
function Opener({ name, children }: { name: string; children: (close: () => void) => ReactNode }): ReactNode {
  const [open, setOpen] = useState(false);
  return (
    <Opens name={name}>
      <Button onClick={() => setOpen(true)}>{name}</Button>
      {open && children(() => setOpen(false))}
    </Opens>
  );
}

function OwnDialogs(): ReactNode {
  const say = useSay();
  const title = say('Rename group', '重新命名群組');
  const text = say('Routers keep their settings.', '路由器保留其設定。');
  const name = say('North depot', '北區機廠');
  return (
    <>
      <Opener name="dialog-wide">
        {(close) => (
          <Dialog wide title={title} onClose={close} actions={<Button onClick={close}>OK</Button>}>
            <p>{text}</p>
          </Dialog>
        )}
      </Opener>
      <Opener name="dialog-full">
        {(close) => (
          <Dialog full title={title} onClose={close} actions={<Button onClick={close}>OK</Button>}>
            <p>{text}</p>
          </Dialog>
        )}
      </Opener>
      <Opener name="dialog-top">
        {(close) => (
          <Dialog top title={title} onClose={close}>
            <OptionList
              searchable
              label={title}
              options={[{ value: 'a', label: name, hint: say('Group', '群組') }]}
              onPick={close}
            />
          </Dialog>
        )}
      </Opener>
      <Opener name="form-dialog">
        {(close) => (
          <FormDialog title={title} submit={say('Rename', '重新命名')} onClose={close} onSubmit={close}>
            <TextInput label={say('Name', '名稱')} defaultValue={name} />
          </FormDialog>
        )}
      </Opener>
      <Opener name="secret-dialog">
        {(close) => (
          <SecretDialog
            title={say('Secret for Bus 120', '公車 120 的金鑰')}
            once={say('Shown only once. Copy it now.', '只顯示這一次，請立即複製。')}
            label={say('Secret', '金鑰')}
            secret="5fH2k9QmXw7T"
            done={say('Done', '完成')}
            onClose={close}
          />
        )}
      </Opener>
      <Opener name="typed-confirm">
        {(close) => (
          <TypedConfirm
            title={say('Delete organization', '刪除組織')}
            text={say('Type the name to delete it.', '輸入名稱以刪除。')}
            word={name}
            confirm={say('Delete', '刪除')}
            busy={false}
            onClose={close}
            onConfirm={close}
          />
        )}
      </Opener>
    </>
  );
}

function Popups(): ReactNode {
  const say = useSay();
  const [status, depot] = useFilters();
  const columns = useColumns();
  const items = [
    { id: 'profile', label: say('Profile', '個人資料'), icon: <IconUser size={16} />, onPick: ignore },
    { id: 'out', label: say('Sign out', '登出'), icon: <IconLogout size={16} />, onPick: ignore },
  ];
  const languages = [
    { id: 'en', label: 'English', checked: true, onPick: ignore },
    { id: 'zh', label: '繁體中文', checked: false, onPick: ignore },
  ];
  return (
    <>
      <Opens name="menu">
        <Menu
          label="menu"
          items={items}
          head={<span className="strong">Mei Lin</span>}
          trigger={(open) => <Button {...open}>menu</Button>}
        />
      </Opens>
      <Opens name="menu-checked">
        <Menu label="menu, one checked" items={languages} trigger={(open) => <Button {...open}>menu, one checked</Button>} />
      </Opens>
      <Opens name="filter-short">
        <FilterSelect filter={{ ...status, value: 'online' }} onPick={ignore} />
      </Opens>
      <Opens name="filter-long">
        <FilterSelect filter={depot} onPick={ignore} />
      </Opens>
      <Opens name="columns">
        <ColumnChooser id="gallery" columns={columns} />
      </Opens>
      <Opens name="pick">
        <div className="gallery__field">
          <PickField label={say('Group', '群組')} shown={say('Choose a group', '選擇群組')} empty>
            {() => (
              <OptionList label={say('Groups', '群組')} options={[]} empty={say('No groups.', '沒有群組。')} onPick={ignore} />
            )}
          </PickField>
        </div>
      </Opens>
      <Opens name="calendar">
        <DateField label={say('Day', '日期')} value="03/14/2026" from="03/05/2026" onChange={ignore} />
      </Opens>
    </>
  );
}

function Hints(): ReactNode {
  const say = useSay();
  const done = { id: 1, tone: 'ok', text: say('Group Save Success', '群組儲存成功') } as const;
  const failed = { id: 2, tone: 'bad', text: say('2 devices could not be deleted.', '2 部裝置無法刪除。') } as const;
  return (
    <>
      <Opens name="hint" by="hover">
        <ActionButton disabledReason={say('Your role may not add devices.', '您的角色不能新增裝置。')}>hint</ActionButton>
      </Opens>
      <Opens name="toasts">
        {/* Set as they are: a toast of a user goes after six seconds, these stay. */}
        <Button onClick={() => shownToasts.set([done, failed])}>toasts</Button>
      </Opens>
    </>
  );
}

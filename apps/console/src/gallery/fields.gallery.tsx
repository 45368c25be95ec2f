import { Button } from '../ui/controls/Button.tsx';
import { NativeSelect, TextInput, Textarea } from '../ui/controls/TextInput.tsx';
import type { ReactNode } from 'react';
import { ChoicesField } from '../ui/form/ChoicesField.tsx';
import { DateField } from '../ui/form/DateField.tsx';
import { FilePick } from '../ui/form/FilePick.tsx';
import { FormFoot } from '../ui/form/FormFoot.tsx';
import { PickField } from '../ui/form/PickField.tsx';
import { TagsField } from '../ui/form/TagsField.tsx';
import { TwelveMonths } from '../ui/form/TwelveMonths.tsx';
import { ignore, Section, useSay } from './parts.tsx';

/** Fields of a form. Fields of every kind in a row are aligned. */
export function Fields(): ReactNode {
  return (
    <>
      <TextFields />
      <Choices />
      <Files />
      <Foot />
    </>
  );
}

function TextFields(): ReactNode {
  const say = useSay();
  const name = say('Name', '名稱');
  const required = say('Enter a name.', '請輸入名稱。');
  return (
    <Section id="text-fields" title="Text fields">
      <div className="gallery__fields">
        <TextInput label={name} placeholder={say('For example: North depot', '例如：北區機廠')} />
        <TextInput label={name} withAsterisk defaultValue={say('North depot', '北區機廠')} />
        <TextInput label={name} description={say('At most 64 letters.', '最多 64 個字。')} defaultValue="Depot" />
        <TextInput label={name} error={required} />
        <TextInput label={name} disabled defaultValue={say('North depot', '北區機廠')} />
        <TextInput label={name} readOnly defaultValue={say('North depot', '北區機廠')} />
        <TextInput type="password" label={say('Password', '密碼')} defaultValue="secret" />
        <Textarea label={say('Note', '備註')} defaultValue={say('Evening buses', '晚班公車')} />
      </div>
    </Section>
  );
}

function Choices(): ReactNode {
  const say = useSay();
  const group = say('Group', '群組');
  const choose = say('Choose a group', '選擇群組');
  const day = say('Day', '日期');
  return (
    <Section id="choices" title="Fields with choices, days and tags">
      <div className="gallery__fields">
        <TextInput label={say('Name', '名稱')} defaultValue={say('Evening', '晚班')} />
        <PickField label={group} shown={say('North depot', '北區機廠')} empty={false}>
          {() => null}
        </PickField>
        <NativeSelect label={say('Role', '角色')} data={[say('Viewer', '檢視者'), say('Owner', '擁有者')]} />
        <DateField label={day} value="03/14/2026" onChange={ignore} />
        <PickField label={group} shown={choose} empty required error={say('Choose a group.', '請選擇群組。')}>
          {() => null}
        </PickField>
        <PickField label={group} shown={choose} empty note={say('12 devices', '12 部裝置')}>
          {() => null}
        </PickField>
        <DateField label={day} value="" required onChange={ignore} error={say('Enter a day.', '請輸入日期。')} />
        <DateField label={day} value="" onChange={ignore} description={say('In the zone of the group.', '依群組時區。')} />
        <DateField label={day} value="03/14/2026" disabled onChange={ignore} />
        <TwelveMonths started="" onPick={ignore} />
        <TagsField value={[]} onChange={ignore} />
        <ChoicesField
          label={say('Groups', '群組')}
          description={say('None: all of them.', '不選擇則包含所有群組。')}
          data={[{ value: 'north', label: say('North depot', '北區機廠') }]}
          value={['north']}
          onChange={ignore}
        />
        <TagsField
          value={[say('night', '夜班'), say('harbour', '港區')]}
          onChange={ignore}
          description={say('For reports.', '用於報表。')}
        />
      </div>
    </Section>
  );
}

function Foot(): ReactNode {
  const say = useSay();
  return (
    <Section id="form-foot" title="The end of a long form">
      <div className="card">
        <FormFoot effect={say('4 devices restart now.', '4 部裝置將立即重新啟動。')}>
          <Button variant="filled">{say('Save', '儲存')}</Button>
        </FormFoot>
      </div>
    </Section>
  );
}

function Files(): ReactNode {
  const say = useSay();
  const common = {
    label: say('Device list', '裝置清單'),
    endings: ['.csv'],
    wrongType: say('Choose a CSV file.', '請選擇 CSV 檔案。'),
    onPick: ignore,
  };
  return (
    <Section id="files" title="Files">
      <div className="gallery__fields">
        <FilePick {...common} file={undefined} />
        <FilePick {...common} label={say('Inventory', '庫存')} file={new File(['SN'], 'routers-2026-03.csv')} />
        <FilePick {...common} label={say('eSIMs', 'eSIM')} file={undefined} error={say('The file is empty.', '檔案是空的。')} />
      </div>
    </Section>
  );
}

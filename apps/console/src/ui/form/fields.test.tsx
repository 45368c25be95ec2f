import { cleanup, createEvent, fireEvent, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { type ReactNode, useState } from 'react';
import { afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { loadMessages } from '../../testing/messages.ts';
import { completePlatform } from '../../testing/platform.ts';
import { storeLanguage } from '../language.ts';
import { Calendar } from './Calendar.tsx';
import { ChoicesField } from './ChoicesField.tsx';
import { DateField } from './DateField.tsx';
import { TagsField } from './TagsField.tsx';

beforeAll(() => loadMessages());
afterEach(cleanup);

const user = userEvent.setup();
const said = () => screen.getByRole('status').textContent;
const focused = () => document.activeElement?.getAttribute('aria-label');

function Day({ from, to, disabled = false }: { from?: string; to?: string; disabled?: boolean }): ReactNode {
  const [day, setDay] = useState('03/14/2026');
  return (
    <>
      <DateField label="Day" value={day} onChange={setDay} disabled={disabled} {...(from && { from })} {...(to && { to })} />
      <output>{day}</output>
    </>
  );
}

describe('a day', () => {
  it('NAV-07-partial is typed with or without leading zeros; one that does not exist is none, and stays with the reason when the field is left', async () => {
    render(<Day />);
    const field = screen.getByLabelText<HTMLInputElement>('Day');
    await user.clear(field);
    await user.type(field, '2/3/2026');
    expect(said()).toBe('02/03/2026');
    await user.clear(field);
    await user.type(field, '02/30/2026');
    expect([said(), field.value]).toEqual(['', '02/30/2026']);
    expect(screen.queryByText('Invalid Day format')).toBeNull();
    await user.tab();
    expect([said(), field.value]).toEqual(['', '02/30/2026']);
    expect(screen.getByText('Invalid Day format')).toBeTruthy();
    expect(field.validity.valid).toBe(false);
    await user.clear(field);
    await user.type(field, '2/28/2026');
    await user.tab();
    expect([said(), field.value, field.validity.valid]).toEqual(['02/28/2026', '02/28/2026', true]);
    expect(screen.queryByText('Invalid Day format')).toBeNull();
  });

  it('NAV-07-partial that is set by something else replaces what was typed', async () => {
    const view = render(<DateField label="Day" value="" onChange={() => {}} />);
    const field = screen.getByLabelText<HTMLInputElement>('Day');
    await user.type(field, '31/12/2026');
    await user.tab();
    expect(screen.getByText('Invalid Day format')).toBeTruthy();
    view.rerender(<DateField label="Day" value="12/31/2026" onChange={() => {}} />);
    expect([field.value, field.validity.valid]).toEqual(['12/31/2026', true]);
    expect(screen.queryByText('Invalid Day format')).toBeNull();
  });

  it('NAV-07-partial shows its value again where what was typed is no longer wrong, or nothing can be typed', async () => {
    const view = render(<Day to="03/31/2026" />);
    const field = screen.getByLabelText<HTMLInputElement>('Day');
    const type = async (text: string) => {
      await user.clear(field);
      await user.type(field, text);
      await user.tab();
    };
    await type('04/01/2026');
    view.rerender(<Day to="04/01/2026" />);
    expect([said(), field.value, field.validity.valid]).toEqual(['', '', true]);
    await type('02/30/2026');
    view.rerender(<Day to="04/01/2026" disabled />);
    expect([field.value, field.getAttribute('aria-invalid'), screen.queryByText('Invalid Day format')]).toEqual(['', null, null]);
  });

  it('SAY-11-partial reads and is typed year first in Traditional Chinese; what is saved is the same day', async () => {
    storeLanguage('zh-TW');
    render(<Day />);
    const field = screen.getByLabelText<HTMLInputElement>('Day');
    expect([field.value, field.placeholder]).toEqual(['2026/03/14', 'YYYY/MM/DD']);
    await user.clear(field);
    await user.type(field, '2026/2/3');
    await user.tab();
    expect([said(), field.value]).toEqual(['02/03/2026', '2026/02/03']);
    storeLanguage('en-US');
  });

  it('NAV-07-partial outside of its limits is not taken', async () => {
    render(<Day from="03/01/2026" to="03/31/2026" />);
    const field = screen.getByLabelText('Day');
    await user.clear(field);
    await user.type(field, '04/01/2026');
    await user.tab();
    expect(said()).toBe('');
    expect(screen.getByText('Choose 03/31/2026 or an earlier day.')).toBeTruthy();
    await user.clear(field);
    await user.type(field, '02/28/2026');
    await user.tab();
    expect(screen.getByText('Choose 03/01/2026 or a later day.')).toBeTruthy();
    await user.clear(field);
    await user.type(field, '03/31/2026');
    expect(said()).toBe('03/31/2026');
  });
});

function Choices(): ReactNode {
  const [chosen, setChosen] = useState<readonly string[]>(['n']);
  const data = [
    { value: 'n', label: 'North' },
    { value: 's', label: 'South' },
    { value: 'w', label: 'West' },
  ];
  return <ChoicesField label="Depots" description="All of them" data={data} value={chosen} onChange={setChosen} />;
}

describe('several choices', () => {
  it('NAV-07-partial are chips with their names; what is chosen is offered no more, and can be removed', async () => {
    onTestFinished(completePlatform());
    render(<Choices />);
    expect(document.querySelector(`#${screen.getByRole('group').getAttribute('aria-describedby')}`)?.textContent).toBe(
      'All of them',
    );
    await user.click(screen.getByRole('button', { name: 'Add: Depots' }));
    expect(screen.getAllByRole('option').map(({ textContent }) => textContent)).toEqual(['South', 'West']);
    await user.click(screen.getByRole('option', { name: 'South' }));
    expect(screen.queryByRole('option')).toBeNull();
    const names = () => [...document.querySelectorAll('.choices__name')].map(({ textContent }) => textContent);
    expect(names()).toEqual(['North', 'South']);
    await user.click(screen.getByRole('button', { name: 'Remove North' }));
    expect(names()).toEqual(['South']);
  });
});

describe('a calendar', () => {
  const picked: string[] = [];
  const open = (from = '', to = '') =>
    render(<Calendar chosen="2026-03-14" from={from} to={to} onPick={(day) => picked.push(day)} />);

  it('NAV-07-partial is walked by keys and picked from by Enter; a month turned by its button keeps the focus there', async () => {
    open();
    expect(focused()).toBe('Saturday, March 14, 2026');
    await user.keyboard('{ArrowRight}{ArrowDown}');
    expect(focused()).toBe('Sunday, March 22, 2026');
    await user.keyboard('{PageDown}');
    expect(focused()).toBe('Wednesday, April 22, 2026');
    await user.keyboard('{Enter}');
    expect(picked.splice(0)).toEqual(['2026-04-22']);
    await user.click(screen.getByRole('button', { name: 'Next month' }));
    await user.keyboard('{Enter}');
    expect([focused(), screen.getByRole('grid').getAttribute('aria-label')]).toEqual(['Next month', 'June 2026']);
    expect(picked).toEqual([]);
  });

  it('NAV-07-partial stops at its limits', async () => {
    open('2026-03-10', '2026-03-20');
    await user.keyboard('{PageDown}');
    expect(focused()).toBe('Friday, March 20, 2026');
    expect(screen.getByRole('button', { name: 'Saturday, March 21, 2026' })).toHaveProperty('disabled', true);
  });
});

describe('tags', () => {
  function Tags(): ReactNode {
    const [tags, setTags] = useState<readonly string[]>(['night']);
    return (
      <>
        <TagsField value={tags} onChange={setTags} />
        <output>{tags.join(' | ')}</output>
      </>
    );
  }

  it('RPT-03-partial are added by Enter, a comma and leaving the field, once each, and removed by Backspace and their button', async () => {
    render(<Tags />);
    const field = screen.getByLabelText('Tags');
    await user.type(field, 'harbour{Enter}night{Enter}ferry,');
    expect(said()).toBe('night | harbour | ferry');
    await user.type(field, 'late');
    await user.tab();
    expect(said()).toBe('night | harbour | ferry | late');
    await user.type(field, '{Backspace}');
    await user.click(screen.getByRole('button', { name: 'Remove harbour' }));
    expect(said()).toBe('night | ferry');
  });

  it('RPT-03-partial NAV-07-partial commas of Chinese add them, too, once a character is composed', async () => {
    render(<Tags />);
    const field = screen.getByLabelText<HTMLInputElement>('Tags');
    await user.type(field, '晚班，');
    expect(said()).toBe('night | 晚班');
    fireEvent.compositionStart(field);
    fireEvent(field, Object.assign(createEvent.input(field, { target: { value: '渡輪、' } }), { isComposing: true }));
    expect([said(), field.value]).toEqual(['night | 晚班', '渡輪、']);
    fireEvent.compositionEnd(field);
    expect([said(), field.value]).toEqual(['night | 晚班 | 渡輪', '']);
    await user.type(field, '東區、西區');
    await user.tab();
    expect(said()).toBe('night | 晚班 | 渡輪 | 東區 | 西區');
  });
});

import { cleanup, createEvent, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { loadMessages } from '../testing/messages.ts';
import { Dialog } from './Dialog.tsx';
import { FilterBar } from './filter/FilterBar.tsx';
import { awaited } from './losses.ts';
import { OptionList } from './OptionList.tsx';

beforeAll(() => loadMessages());
afterEach(cleanup);

const nothing = () => undefined;

/** What an input method has composed so far of the text of a field. */
function preedit(field: HTMLElement, value: string, data = value): void {
  fireEvent(field, createEvent.input(field, { target: { value }, data, isComposing: true }));
}

/** A key that ends or guides the composition of characters. @returns whether the page left it to the input method */
function compose(field: HTMLElement, key: string): boolean {
  // The second as Safari reports the key that ends a composition.
  return [{ isComposing: true }, { keyCode: 229 }].every((init) => {
    const event = createEvent.keyDown(field, { key, ...init });
    fireEvent(field, event);
    return !event.defaultPrevented;
  });
}

it('NAV-07-partial keys that compose Chinese pick no option', () => {
  const picked: string[] = [];
  const options = ['北區', '北港'].map((label) => ({ value: label, label }));
  render(<OptionList label="Group" options={options} searchable onPick={(value) => picked.push(value)} />);
  const field = screen.getByRole('combobox', { name: 'Group' });
  expect(['ArrowDown', 'Enter'].map((key) => compose(field, key))).toEqual([true, true]);
  expect(picked).toEqual([]);
  fireEvent.keyDown(field, { key: 'Enter' });
  expect(picked).toEqual(['北區']);
});

/** The search of a list. @param searched what it looked for */
const searchBar = (searched: string[]) => (
  <FilterBar
    search={{
      fields: [{ value: 'name', label: 'Name' }],
      field: 'name',
      value: '',
      onSearch: (_, text) => searched.push(text),
    }}
    filters={[]}
    onFilter={nothing}
    onClear={nothing}
  />
);

it('NAV-07-partial keys that compose Chinese neither search nor leave the search', () => {
  const searched: string[] = [];
  render(
    <div className="table-card">
      {searchBar(searched)}
      <table>
        <tbody>
          <tr data-row="a" tabIndex={-1} />
        </tbody>
      </table>
    </div>,
  );
  const field = screen.getByRole('searchbox');
  field.focus();
  fireEvent.change(field, { target: { value: '北' } });
  for (const key of ['ArrowDown', 'Enter']) compose(field, key);
  expect([searched, document.activeElement]).toEqual([[], field]);
  fireEvent.keyDown(field, { key: 'Enter' });
  expect(searched).toEqual(['北']);
});

/** The search of a list and that of a picker, and what each looked for. */
function renderSearches() {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const searched: string[] = [];
  const picker: string[] = [];
  render(
    <>
      {searchBar(searched)}
      <OptionList label="Group" options={[]} searchable onSearch={(text) => picker.push(text)} onPick={nothing} />
    </>,
  );
  const fields = [screen.getByRole('searchbox'), screen.getByRole('combobox', { name: 'Group' })];
  return { searched, picker, fields: fields as HTMLInputElement[] };
}

it.each([
  ['Chinese', ['ㄅ', 'ㄅㄟ', '北'], ['北']],
  ['Japanese', ['バ', 'バs', 'バス'], ['バス']],
  ['Korean', ['ㅂ', '버', '버스'], ['버스']],
])('NAV-07-partial half a character of %s is not searched for, and is once when it is composed', (_, typed, found) => {
  const { searched, picker, fields } = renderSearches();
  for (const field of fields) {
    fireEvent.compositionStart(field);
    for (const text of typed) {
      preedit(field, text);
      vi.runAllTimers();
      expect(field.value).toBe(text);
    }
    fireEvent.compositionEnd(field);
    vi.runAllTimers();
  }
  expect([searched, picker]).toEqual([found, found]);
});

it('NAV-07-partial letters that the keyboard of a phone composes to a word are searched for as they are typed', () => {
  const { searched, picker, fields } = renderSearches();
  for (const field of fields) {
    fireEvent.compositionStart(field);
    for (const word of ['b', 'bu', 'bus']) {
      preedit(field, `北 ${word}`, word);
      vi.runAllTimers();
    }
  }
  expect([searched, picker]).toEqual([
    ['北 b', '北 bu', '北 bus'],
    ['北 b', '北 bu', '北 bus'],
  ]);
});

it('NAV-07-partial Escape that ends the composition of Chinese does not close a dialog with input', () => {
  render(
    <Dialog title="Rename" loss={awaited} onClose={nothing}>
      <input aria-label="Name" />
    </Dialog>,
  );
  const field = screen.getByRole('textbox', { name: 'Name', hidden: true });
  expect(compose(field, 'Escape')).toBe(true);
  expect(fireEvent.keyDown(field, { key: 'Escape' })).toBe(false);
});

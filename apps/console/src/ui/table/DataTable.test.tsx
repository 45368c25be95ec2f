import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { type ReactNode, useState } from 'react';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { loadMessages } from '../../testing/messages.ts';
import { type Selection, useSelection } from '../list/useSelection.ts';
import { storeForList } from '../preferences.ts';
import { DataTable } from './DataTable.tsx';
import type { TableSource, TableView } from './source.ts';

const routers = ['Tram 1', 'Tram 2', 'Tram 3'];
const opened: string[] = [];
const sorts: (string | undefined)[] = [];

function List({ source, selection }: { source?: Partial<TableSource<string>>; selection?: Selection<string> }): ReactNode {
  const [shown, setShown] = useState<TableView>({ page: 1, size: 10, sort: undefined });
  return (
    <>
      <DataTable
        id="routers"
        caption="Routers"
        columns={[
          { id: 'number', header: '#', cell: (_row, number) => number },
          { id: 'name', header: 'Name', cell: (row) => row, sort: 'name' },
          { id: 'link', header: 'Link', cell: () => <a href="#map">Map</a> },
          { id: 'extra', header: 'Extra', cell: () => 'x', optional: true },
        ]}
        rowId={(row) => row}
        source={{ rows: routers, total: 3, fetching: false, error: undefined, retry: () => undefined, ...source }}
        view={shown}
        defaultSize={10}
        onView={(change) => {
          sorts.push(change.sort);
          setShown((before) => ({ ...before, ...change }));
        }}
        onOpen={(row) => opened.push(row)}
        {...(selection === undefined ? {} : { selection })}
      />
    </>
  );
}

const whole = (name: string) => name;

function Picking(): ReactNode {
  return <List selection={useSelection(whole, undefined, true, whole)} />;
}

const row = (name: string) => screen.getByText(name).closest('tr')!;

beforeAll(() => loadMessages());
beforeEach(() => opened.splice(0));
afterEach(cleanup);

describe('DataTable', () => {
  it('SHR-02-partial a header sorts ascending, descending, and then as the list does by default', () => {
    render(<List />);
    const header = () => screen.getByRole('columnheader', { name: 'Name' });
    const seen = [1, 2, 3].map(() => {
      fireEvent.click(screen.getByRole('button', { name: 'Name' }));
      return [sorts.at(-1), header().getAttribute('aria-sort')];
    });
    expect(seen).toEqual([
      ['name', 'ascending'],
      ['-name', 'descending'],
      [undefined, 'none'],
    ]);
    expect(screen.queryByText('Extra')).toBeNull();
  });

  it('rows are one stop of Tab: arrows, Home and End move in them, Enter opens, and a link in a row is not the row', () => {
    render(<List />);
    row('Tram 1').focus();
    for (const [key, name] of [
      ['ArrowDown', 'Tram 2'],
      ['End', 'Tram 3'],
      ['ArrowDown', 'Tram 3'],
      ['Home', 'Tram 1'],
    ] as const) {
      fireEvent.keyDown(document.activeElement!, { key });
      expect(document.activeElement).toBe(row(name));
      expect(screen.getAllByRole('row').filter(({ tabIndex }) => tabIndex === 0)).toEqual([row(name)]);
    }
    fireEvent.keyDown(row('Tram 1'), { key: 'Enter' });
    fireEvent.click(row('Tram 2'));
    fireEvent.click(screen.getAllByText('Map')[2]!);
    expect(opened).toEqual(['Tram 1', 'Tram 2']);
  });

  it('a column is as wide as its header, or as a person typed; one column takes the space that is left over (P18)', () => {
    render(<List />);
    const widths = () => [...document.querySelectorAll<HTMLElement>('col')].map(({ style }) => style.width);
    expect(widths()).toEqual(['150px', '150px', '']);
    act(() => storeForList('routers', { widths: { link: 320, name: 90 } }));
    expect(widths()).toEqual(['', '90px', '320px']);
    act(() => storeForList('routers', { widths: undefined }));
  });

  it('a failure without rows replaces the table, and one with rows stands below them', () => {
    const { rerender } = render(<List source={{ rows: undefined, error: 'Cannot reach the server.' }} />);
    expect(screen.getByRole('alert').textContent).toContain('Cannot reach the server.');
    expect(screen.queryByRole('table')).toBeNull();
    rerender(<List source={{ error: 'Cannot reach the server.' }} />);
    expect(screen.getByText('Tram 1')).toBeTruthy();
    expect(screen.getByText('Cannot reach the server.')).toBeTruthy();
    rerender(<List source={{ rows: [], total: 0 }} />);
    expect(screen.getByText('No Records.')).toBeTruthy();
  });

  it('SHR-07-partial the checkbox of a row has the name of its row', () => {
    render(<Picking />);
    const names = screen
      .getAllByRole('checkbox')
      .map((box) => box.getAttribute('aria-label') ?? box.closest('label')?.textContent);
    expect(names.slice(1)).toEqual(['Select Tram 1', 'Select Tram 2', 'Select Tram 3']);
  });
});

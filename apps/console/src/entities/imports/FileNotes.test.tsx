import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { loadMessages } from '../../testing/messages.ts';
import { DatesDialog, FileNotes } from './FileNotes.tsx';

beforeAll(() => loadMessages('deviceForms'));
afterEach(cleanup);

const dates = { column: 'Start Date', example: '03/04/2026', readings: { mdy: '2026-03-04', dmy: '2026-04-03' } };

describe('DEV-05-partial what the console says about a file', () => {
  test('names the columns that are ignored and how dates were read', () => {
    const file = { encoding: 'utf-8', encodingAssumed: false, ignored: ['Pos.', 'Depot', 'Price'] } as const;
    render(
      <>
        <FileNotes file={{ ...file, ignored: [...file.ignored] }} dates={[{ ...dates, order: 'dmy' }]} />
      </>,
    );
    expect(screen.getByText('Ignored columns: Pos., Depot, Price')).toBeDefined();
    expect(screen.getByText('Start Date: 03/04/2026 was read as April 3, 2026.')).toBeDefined();
    expect(screen.queryByRole('combobox')).toBeNull();
  });

  test('warns of an encoding that is not certain, and lets another one be chosen', () => {
    const chosen: string[] = [];
    render(
      <>
        <FileNotes
          file={{ encoding: 'windows-1252', encodingAssumed: true, ignored: [] }}
          onEncoding={(encoding) => chosen.push(encoding)}
        />
      </>,
    );
    expect(screen.getByText(/not Unicode, so it was read as windows-1252/u)).toBeDefined();
    fireEvent.change(screen.getByLabelText('Encoding of the file'), { target: { value: 'big5' } });
    expect(chosen).toEqual(['big5']);
  });

  test('asks for the order of dates with both readings', () => {
    const chosen: string[] = [];
    render(
      <>
        <DatesDialog dates={[dates]} onChoose={(order) => chosen.push(order)} onClose={() => undefined} />
      </>,
    );
    expect(screen.getByText(/What day is 03\/04\/2026\?/u)).toBeDefined();
    fireEvent.click(screen.getByRole('button', { name: 'March 4, 2026', hidden: true }));
    fireEvent.click(screen.getByRole('button', { name: 'April 3, 2026', hidden: true }));
    expect(chosen).toEqual(['mdy', 'dmy']);
  });
});

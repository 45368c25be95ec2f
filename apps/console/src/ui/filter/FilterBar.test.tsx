import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { type ReactNode, useState } from 'react';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { loadMessages } from '../../testing/messages.ts';
import { FilterBar } from './FilterBar.tsx';

interface Address {
  readonly field: string;
  readonly text: string;
  readonly state?: string | undefined;
}

/** A list whose search and filter are in its address. */
function List(): ReactNode {
  const [shown, setShown] = useState<Address>({ field: 'name', text: '', state: 'online' });
  return (
    <>
      <FilterBar
        search={{
          fields: [
            { value: 'name', label: 'Name' },
            { value: 'serial', label: 'Serial' },
          ],
          field: shown.field,
          value: shown.text,
          onSearch: (field, text) => setShown((before) => ({ ...before, field, text })),
        }}
        filters={[{ name: 'state', label: 'State', value: shown.state, options: [{ value: 'online', label: 'Online' }] }]}
        onFilter={(name, value) => setShown((before) => ({ ...before, [name]: value }))}
        onClear={() => setShown({ field: 'name', text: '', state: undefined })}
      />
      <output>{JSON.stringify(shown)}</output>
    </>
  );
}

const address = () => JSON.parse(screen.getByRole('status').textContent) as Address;

beforeAll(() => loadMessages());
afterEach(cleanup);

describe('FilterBar', () => {
  it('ORG-01-partial an active filter is a chip that removes it, and Clear takes everything away and keeps the focus', async () => {
    render(<List />);
    const input = screen.getByRole<HTMLInputElement>('searchbox');
    const clear = screen.getByRole<HTMLButtonElement>('button', { name: 'Clear' });
    fireEvent.click(screen.getByRole('button', { name: /State: Online/u }));
    expect(address().state).toBeUndefined();
    expect(clear.disabled).toBe(true);
    fireEvent.change(input, { target: { value: 'tram' } });
    expect(clear.disabled).toBe(false);
    await waitFor(() => expect(address().text).toBe('tram'));
    fireEvent.change(screen.getByRole('combobox', { name: 'Search in' }), { target: { value: 'serial' } });
    expect(address()).toMatchObject({ field: 'serial', text: 'tram' });
    fireEvent.click(clear);
    expect(address()).toMatchObject({ field: 'name', text: '' });
    expect(input.value).toBe('');
    expect(document.activeElement).toBe(input);
  });
});

import { TextInput } from './controls/TextInput.tsx';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { type ReactNode, useState } from 'react';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { loadMessages } from '../testing/messages.ts';
import { DialogHost } from './DialogHost.tsx';
import { confirmAction } from './dialogs.ts';
import { FormDialog } from './FormDialog.tsx';

const sent: string[] = [];

/** A button that opens a dialog with one field. */
function Page({ reason }: { reason?: string }): ReactNode {
  const [open, setOpen] = useState(false);
  const [text, setText] = useState('');
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Open
      </button>
      {open && (
        <FormDialog
          title="Rename"
          submit="Save"
          disabledReason={reason}
          onSubmit={() => sent.push(text)}
          onClose={() => setOpen(false)}
        >
          <TextInput label="Name" value={text} onChange={(event) => setText(event.currentTarget.value)} />
        </FormDialog>
      )}
    </>
  );
}

const open = () => {
  const opener = screen.getByRole('button', { name: 'Open' });
  opener.focus();
  fireEvent.click(opener);
  return screen.getByRole('dialog', { hidden: true });
};

beforeAll(() => loadMessages());
afterEach(cleanup);

describe('Dialog', () => {
  it('gives the focus back to what opened it, after Cancel and after Esc', () => {
    render(<Page />);
    for (const close of [
      () => fireEvent.click(screen.getByRole('button', { name: 'Cancel', hidden: true })),
      () => fireEvent(screen.getByRole('dialog', { hidden: true }), new Event('cancel', { cancelable: true })),
    ]) {
      open();
      screen.getByLabelText('Name').focus();
      close();
      expect(screen.queryByRole('dialog', { hidden: true })).toBeNull();
      expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Open' }));
    }
  });

  it('keeps typed input at a click outside, and a disabled submit button sends nothing', () => {
    const { rerender } = render(<Page reason="Nothing has changed." />);
    const dialog = open();
    fireEvent.change(screen.getByLabelText('Name'), { target: { value: 'North' } });
    fireEvent.click(dialog);
    expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('North');
    fireEvent.click(screen.getByRole('button', { name: 'Save', hidden: true }));
    expect(sent).toEqual([]);
    rerender(<Page />);
    fireEvent.click(screen.getByRole('button', { name: 'Save', hidden: true }));
    expect(sent).toEqual(['North']);
  });

  it.each([
    ['permanent', ['Remove it?', 'Emails are dropped. This action is permanent and cannot be undone.']],
    ['disruptive', ['Remove it?', 'Emails are dropped.']],
    ['ordinary', ['Remove it?', 'Emails are dropped.']],
  ] as const)('SHR-07-partial a question says when its effect is permanent: %s', async (effect, sentences) => {
    render(
      <>
        <DialogHost />
      </>,
    );
    let response: Promise<boolean> | undefined;
    act(() => {
      response = confirmAction({ title: 'Remove', text: 'Remove it?', warning: 'Emails are dropped.', effect });
    });
    const shown = screen.getByRole('alertdialog', { hidden: true });
    expect(Array.from(shown.querySelectorAll('p'), ({ textContent }) => textContent)).toEqual(sentences);
    fireEvent.click(screen.getByRole('button', { name: 'Yes', hidden: true }));
    expect(await response).toBe(true);
  });
});

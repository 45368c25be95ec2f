import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeAll, expect, it } from 'vitest';
import type { FailureKey } from '@highline/contract';
import { ApiError } from '../../api/errors.ts';
import { loadMessages } from '../../testing/messages.ts';
import { DialogHost } from '../../ui/DialogHost.tsx';
import { useConfirmIccid } from './useConfirmIccid.ts';

let response: string | undefined;

/** Asks about an error when it is clicked. */
function Asking({ error }: { error: ApiError }): ReactNode {
  const confirm = useConfirmIccid();
  return (
    <>
      <button type="button" onClick={() => void confirm(error).then((iccid) => (response = iccid ?? 'none'))}>
        Save
      </button>
      <DialogHost />
    </>
  );
}

const rejected = (key: FailureKey, detail: object) => new ApiError({ status: 409, key, message: 'doubtful', detail });

beforeAll(() => loadMessages('esims'));
afterEach(cleanup);

it.each([
  [
    rejected('esim.iccid_check', { doubt: 'check-digit', typed: '8944476500008878575', meant: '8944476500008878575' }),
    'One of the digits of 8944476500008878575 is wrong',
    ['Correct it', 'Use 8944476500008878575'],
  ],
  [
    rejected('esim.iccid_longer', { doubt: 'digit-too-many', typed: '89444765000088785760', meant: '8944476500008878576' }),
    '89444765000088785760 has a digit too many',
    ['Correct it', 'Use 89444765000088785760', 'Use 8944476500008878576'],
  ],
])('SIM-07-partial a doubtful ICCID is used only as the user says', async (error, text, choices) => {
  render(
    <>
      <Asking error={error} />
    </>,
  );
  for (const choice of choices) {
    response = undefined;
    fireEvent.click(screen.getByRole('button', { name: 'Save', hidden: true }));
    const dialog = await waitFor(() => screen.getByRole('alertdialog', { hidden: true }));
    expect(dialog.textContent).toContain(text);
    const buttons = within(dialog).getAllByRole('button', { hidden: true });
    expect(buttons.map(({ textContent }) => textContent).filter((label) => choices.includes(label))).toEqual(choices);
    fireEvent.click(within(dialog).getByRole('button', { name: choice, hidden: true }));
    await waitFor(() => expect(response).toBe(choice === 'Correct it' ? 'none' : choice.slice('Use '.length)));
  }
});

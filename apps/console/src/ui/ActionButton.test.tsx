import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { type FormEvent, type ReactNode, useState } from 'react';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { loadMessages } from '../testing/messages.ts';
import { ActionButton } from './ActionButton.tsx';

const calls: string[] = [];

/** Save of a form in its states: to be saved, saving, and saved, when there is nothing to save. */
function Page(): ReactNode {
  const [step, setStep] = useState<'dirty' | 'saving' | 'saved'>('dirty');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    calls.push('submit');
    setStep('saving');
  };
  return (
    <>
      <form onSubmit={submit}>
        <ActionButton
          type="submit"
          loading={step === 'saving'}
          disabledReason={step === 'saved' ? 'Nothing was changed.' : undefined}
          onClick={() => calls.push('click')}
        >
          Save
        </ActionButton>
      </form>
      <button type="button" onClick={() => setStep('saved')}>
        Answer
      </button>
    </>
  );
}

beforeAll(() => loadMessages());
afterEach(cleanup);

describe('ActionButton', () => {
  it('SHR-06-partial keeps the focus while it saves and after it, and ignores clicks meanwhile', () => {
    render(<Page />);
    const save = screen.getByRole('button', { name: 'Save' });
    save.focus();
    fireEvent.click(save);
    expect(calls).toEqual(['click', 'submit']);
    expect(save.getAttribute('aria-busy')).toBe('true');
    expect(save.hasAttribute('disabled')).toBe(false);
    expect(document.activeElement).toBe(save);
    fireEvent.click(save);
    expect(calls).toEqual(['click', 'submit']);

    fireEvent.click(screen.getByRole('button', { name: 'Answer' }));
    expect(screen.getByRole('button', { name: 'Save' })).toBe(save);
    expect(save.getAttribute('aria-busy')).toBe(null);
    expect(save.getAttribute('aria-disabled')).toBe('true');
    expect(document.activeElement).toBe(save);
    fireEvent.click(save);
    expect(calls).toEqual(['click', 'submit']);
  });
});

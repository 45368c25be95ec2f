import { cleanup, render, screen } from '@testing-library/react';
import { type ComponentType, Suspense } from 'react';
import { afterEach, describe, expect, it } from 'vitest';
import { optionalPart } from './optional-part.ts';

interface Props {
  readonly name: string;
}

function page(load: () => Promise<ComponentType<Props>>, Instead?: ComponentType) {
  const Part = optionalPart(load, Instead);
  render(
    <>
      <p>The page</p>
      <Suspense fallback="waiting">
        <Part name="depot" />
      </Suspense>
    </>,
  );
}

const failed = () => Promise.reject(new TypeError('Failed to fetch dynamically imported module'));

afterEach(cleanup);

describe('a part in a file of its own', () => {
  it('is shown with its properties once its file is loaded', async () => {
    page(async () => ({ name }) => <p>Part of {name}</p>);
    expect(await screen.findByText('Part of depot')).toBeTruthy();
  });

  it('leaves the rest of the page as it is when its file cannot be loaded', async () => {
    page(failed);
    await expect.poll(() => document.body.textContent).toBe('The page');
  });

  it('is replaced where the page says so', async () => {
    page(failed, () => <p>Not loaded</p>);
    expect(await screen.findByText('Not loaded')).toBeTruthy();
    expect(screen.getByText('The page')).toBeTruthy();
  });
});

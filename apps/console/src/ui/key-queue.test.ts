import { expect, test } from 'vitest';
import { createKeyQueue } from './key-queue.ts';

test('keys pressed before anyone listens arrive in their order, once', () => {
  const queue = createKeyQueue();
  queue.press('ArrowDown');
  queue.press('Enter');
  const first: string[] = [];
  const end = queue.listen((key) => first.push(key));
  queue.press('ArrowUp');
  expect(first).toEqual(['ArrowDown', 'Enter', 'ArrowUp']);
  end();
  queue.press('Enter');
  const second: string[] = [];
  queue.listen((key) => second.push(key));
  expect(first).toHaveLength(3);
  expect(second).toEqual(['Enter']);
});

import { rejectionReasons, type Rejection } from '@highline/contract';
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { chooseLanguage } from '../../i18n/i18n.ts';
import { loadMessages } from '../../testing/messages.ts';
import { RejectionNote } from './RejectionNote.tsx';

beforeAll(() => loadMessages('deviceForms'));
afterEach(cleanup);

const rejection = (part: Partial<Rejection>): Rejection => ({
  at: 1_795_435_200,
  reason: 'certificate-revoked',
  received: null,
  expected: null,
  address: '192.0.2.7',
  isOther: false,
  ...part,
});

function textOf(part: Partial<Rejection>): string {
  render(
    <>
      <RejectionNote rejection={rejection(part)} />
    </>,
  );
  const { textContent } = screen.getByRole('status');
  cleanup();
  return textContent;
}

it('DEV-08-partial a rejection of an online router says that it is of another connection, the end of a connection and a doubtful identity what they are', () => {
  expect(textOf({})).toContain('This router tried to connect and was rejected');
  expect(textOf({ isOther: true })).toContain('Another connection with the credential of this router was rejected');
  expect(textOf({ isOther: true })).toContain('The router is online by a connection of its own');
  expect(textOf({ reason: 'session-context' })).toContain('The last connection of this router was ended');
  expect(textOf({ reason: 'session-context' })).toContain('E2ESession.SessionMode');
  expect(textOf({ reason: 'no-record' })).toContain('ended before it was in use');
  expect(textOf({ reason: 'no-record' })).toContain('Highline leaves it out of the next answers');
  expect(textOf({ reason: 'identity-shared' })).toContain('Two routers connect alternately');
  expect(textOf({ reason: 'serial-mismatch', received: 'SN9' })).toContain('serial number SN9');
});

it('DEV-08-partial every reason has a text and what to do, in both languages', async () => {
  for (const language of ['en-US', 'zh-TW'] as const) {
    await chooseLanguage(language);
    for (const reason of rejectionReasons) expect(textOf({ reason }), reason).not.toContain('deviceForms.');
  }
  await chooseLanguage('en-US');
});

import { expect, test } from 'vitest';
import { createSmtpTransport } from '../../platform/adapters/mail/smtp.ts';
import { openHome } from '../../testing/home.ts';
import { startTestSmtp } from '../../testing/smtp.ts';
import { useTestApp } from '../../testing/test-app.ts';
import { sendTestMail, type TestMailDeps } from './test-mail.service.ts';

const app = useTestApp();
const PATH = '/data_manager/v1/notify/test';

function depsWith(transport: TestMailDeps['transport'], testMailMs = 10_000): TestMailDeps {
  return { ...app, transport, testMailMs, countTestMail: async () => {}, mailOrigin: () => 'https://cloud.test' };
}

test('ALR-05-partial an admin sends a test mail to their own address at once; the log has it, and after ten in an hour it waits', async () => {
  const { own, sibling, admin, user } = await openHome(app);
  const body = { org: own.organizationId };
  const first = await app.call('POST', PATH, { as: admin, body });
  expect(first.json.result).toEqual({ mail: admin.email, outcome: 'kept', answer: '' });
  expect(await app.logOf(own.organizationId)).toContain(`Sent a test email to ${admin.email}`);
  expect((await app.call('POST', PATH, { as: user, body })).status).toBe(403);
  expect((await app.call('POST', PATH, { as: admin, body: { org: sibling.organizationId } })).status).toBe(404);
  for (let sent = 1; sent < 10; sent++) expect((await app.call('POST', PATH, { as: admin, body })).status).toBe(200);
  const rejected = await app.call('POST', PATH, { as: admin, body });
  expect([rejected.status, rejected.json.error.key]).toEqual([429, 'account.too_many_tries']);
  app.clock.set(new Date(app.clock.now().getTime() + 3_601_000).toISOString());
  expect((await app.call('POST', PATH, { as: admin, body })).status).toBe(200);
});

test('ALR-05-partial it says what the mail server said: accepted, rejected, not reached, or not answered in time', async () => {
  const { own, admin } = await openHome(app);
  const server = await startTestSmtp();
  const smtp = createSmtpTransport(server.url, 'Highline <no-reply@highline.invalid>');
  expect(await sendTestMail(depsWith(smtp), own, admin)).toEqual({ mail: admin.email, outcome: 'sent', answer: '' });
  expect(server.taken).toMatchObject([{ to: [admin.email] }]);
  expect(server.taken[0]!.plain).toContain('https://cloud.test/alerts/rules');

  server.rejected.set(admin.email, 550);
  const rejected = await sendTestMail(depsWith(smtp), own, admin);
  expect(rejected.outcome).toBe('rejected');
  expect(rejected.answer).toContain('no such mailbox here');
  server.rejected.clear();

  let respond: () => void = () => {};
  server.slow.set(admin.email, new Promise((resolve) => (respond = resolve)));
  expect(await sendTestMail(depsWith(smtp, 50), own, admin)).toMatchObject({ outcome: 'unanswered', answer: '' });
  respond();
  await server.down();
  const unreached = await sendTestMail(depsWith(smtp), own, admin);
  expect(unreached.outcome).toBe('rejected');
  expect(unreached.answer).toContain('ECONNREFUSED');
  await smtp.close();
});
